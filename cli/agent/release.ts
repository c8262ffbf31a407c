import { Option, type Command } from 'commander';
import { countLeft, readReleasable, type Release } from '../../store/assignment/hand-overs.ts';
import type { AgentIdentity } from '../../store/routing/agents.ts';
import { mayProceed, withConsent, type Consent } from '../confirm.ts';
import {
  findTargetAgent,
  findTargetPool,
  handOverEach,
  releaseText,
  requestHandOver,
  TO_RULES,
  UNDO_OUTLOOK,
  withRequestOptions,
  type RequestOptions,
  type Target,
} from '../lead/hand-over-request.ts';
import { OperatorError, type Operator, type Run } from '../operator.ts';
import { count, figure } from '../text.ts';
import { AGENT_TEXT, findAgent, readAway } from './find-agent.ts';

export const TARGETS = 'rules, pool NAME or agent EMAIL';

export function addReleaseCommand(agent: Command, run: Run): void {
  const release = agent
    .command('release')
    .description('Hand over the leads of an agent: those without a recorded response, or all.')
    .argument('<agent>', AGENT_TEXT)
    .addOption(new Option('--to <target...>', `where to: ${TARGETS}`).default(['rules'], 'rules'))
    .addOption(
      new Option('--only <leads>', 'only those whose response clock runs').choices(['waiting']),
    )
    .option('--responded', 'also those with a recorded response', false);
  withConsent(withRequestOptions(release)).action(run(releaseAgent));
}

interface ReleaseOptions extends RequestOptions, Consent {
  to: string[];
  only?: 'waiting';
  responded: boolean;
}

/** Resumes if it is run again. */
async function releaseAgent(operator: Operator, text: string, options: ReleaseOptions) {
  const agent = await findAgent(operator, text);
  const target = await findTarget(operator, agent, options.to);
  const terms = { onlyWaiting: options.only === 'waiting', movesResponded: options.responded };
  if (terms.onlyWaiting && terms.movesResponded)
    throw new OperatorError(
      'No response clock runs with a response: say --only waiting or --responded.',
    );
  const leads = await readReleasable(await operator.database(), { agentId: agent.id, ...terms });
  const responded = leads.filter(({ isResponded }) => isResponded).length;
  const answered = responded > 0 ? `, ${figure(responded)} of them with a recorded response` : '';
  const what = `This takes ${count(leads.length, 'lead')} from ${agent.name}${answered}.`;
  const size = { agent, leads: leads.length, responded };
  const warnings = await target.warningsFor(leads.map(({ id }) => id));
  const isIdle = leads.length === 0;
  const question = { what, size, warnings, outlook: UNDO_OUTLOOK, isIdle };
  if (!(await mayProceed(operator, question, options))) return;
  const { view, failure } = await release(operator, agent, target, terms, options);
  operator.show(view, releaseText);
  if (failure) throw failure;
}

/** `words` are the command that continues. */
export async function release(
  operator: Operator,
  agent: AgentIdentity,
  { target, warningsFor }: Target,
  terms: Omit<Release, 'agentId'>,
  options: RequestOptions & { words?: readonly string[] } = {},
) {
  const database = await operator.database();
  const released = { agentId: agent.id, ...terms };
  const leads = await readReleasable(database, released);
  const handOver = { target, ...terms, releasedAgentId: agent.id, movesPersonal: false };
  const requestId = await requestHandOver(operator, handOver, { ...options, leadId: null });
  const leadIds = leads.map(({ id }) => id);
  const { failure, moved, names, ...sent } = await handOverEach(operator, leadIds, requestId, {
    warnings: await warningsFor(leadIds),
    warningsFor,
    words: options.words,
  });
  const responded = leads.filter(({ isResponded }) => isResponded).length;
  const warnings = [
    ...sent.warnings,
    ...warnOfResponses(responded),
    ...(await warnOfRules(operator, agent)),
  ];
  const left = await countLeft(database, released);
  return { view: { requestId, agent, warnings, moved, left, names }, failure };
}

function warnOfResponses(responded: number): string[] {
  if (responded === 0) return [];
  return [
    `${count(responded, 'lead')} had a response already: for a new agent no response clock runs, and their own time counts from now.`,
  ];
}

async function warnOfRules(operator: Operator, { id, name }: AgentIdentity): Promise<string[]> {
  if (await readAway(operator, id)) return [];
  return [`The rules go on giving ${name} leads: leadctl agent pause ends that.`];
}

export async function findTarget(
  operator: Operator,
  agent: AgentIdentity,
  words: readonly string[],
): Promise<Target> {
  const text = words.join(' ').trim();
  if (text === 'rules') return TO_RULES;
  const [, kind, name = ''] = /^(pool|agent)\s+(.+)$/.exec(text) ?? [];
  if (kind === 'pool') return findTargetPool(operator, name);
  if (kind !== 'agent') throw new OperatorError(`${text} is no target: say ${TARGETS}.`);
  const to = await findTargetAgent(operator, name);
  if (to.target.kind === 'agent' && to.target.agentId === agent.id)
    throw new OperatorError(`${agent.name} cannot be released to themselves.`);
  return to;
}
