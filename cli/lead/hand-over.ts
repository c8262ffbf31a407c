import type { Command } from 'commander';
import { readLastChanges } from '../../store/assignment/hand-overs.ts';
import { readLeadOverview } from '../../store/leads/lead-overview.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { OperatorError, type Operator, type Run } from '../operator.ts';
import { ANSWERED_BEFORE, handOverText, refusalText } from '../views/hand-over.ts';
import { findLead, LEAD_TEXT } from './find.ts';
import {
  assertOneOrMany,
  handOverMany,
  withManyOptions,
  type ManyOptions,
} from './hand-over-many.ts';
import {
  findTargetAgent,
  findTargetPool,
  requestHandOver,
  sendHandOver,
  TO_RULES,
  withRequestOptions,
  type Target,
} from './hand-over-request.ts';

/** The commands by which an operator moves one lead, or all that nobody holds. */
export function addHandOverCommands(lead: Command, run: Run): void {
  const command = (name: string, description: string) =>
    withManyOptions(withRequestOptions(lead.command(name).description(description))).argument(
      '[text]',
      LEAD_TEXT,
    );
  command('assign', 'Give a lead to an agent, wherever it is, or many that nobody holds.')
    .requiredOption('--agent <agent>', 'who gets it')
    .option('--personal', 'also one of Personal distribution', false)
    .action(
      run(async (operator: Operator, text: string | undefined, options: AssignOptions) => {
        const to = await findTargetAgent(operator, options.agent);
        const does = (leads: string) => `This gives ${leads} to ${options.agent}`;
        await handOver(operator, text, to, { ...options, does });
      }),
    );
  command(
    'reroute',
    'Send a lead, or many that nobody holds, back through the rules, in a new round. Where it waits again it keeps its place, unless an agent held it, and has the whole time again. Who holds it does not get it back from them until an operator gives it to them, or somebody else has held it for a follow-up’s length.',
  )
    .option(
      '--no-exclusion',
      'anybody may get it: whoever operators took it from, and who holds it',
    )
    .action(
      run(async (operator: Operator, text: string | undefined, options: RerouteOptions) => {
        const does = (leads: string) => `This sends ${leads} back through the rules`;
        const liftsExclusion = !options.exclusion;
        await handOver(operator, text, TO_RULES, { ...options, liftsExclusion, does });
      }),
    );
  command('pool', 'Put a lead into a pool, wherever it is, or many that nobody holds.')
    .requiredOption('--pool <name>', 'the pool’s name')
    .action(
      run(async (operator: Operator, text: string | undefined, options: PoolOptions) => {
        const to = await findTargetPool(operator, options.pool);
        const does = (leads: string) => `This puts ${leads} into ${options.pool}`;
        await handOver(operator, text, to, { ...options, does });
      }),
    );
}

interface AssignOptions extends ManyOptions {
  agent: string;
  personal: boolean;
}

interface RerouteOptions extends ManyOptions {
  exclusion: boolean;
}

interface PoolOptions extends ManyOptions {
  pool: string;
}

interface Options extends ManyOptions {
  personal?: boolean;
  liftsExclusion?: boolean;
  does: (leads: string) => string;
}

async function handOver(
  operator: Operator,
  text: string | undefined,
  to: Target,
  options: Options,
): Promise<void> {
  assertOneOrMany(text, options);
  if (text === undefined) await handOverMany(operator, to, options);
  else await handOverOne(operator, await findLead(operator, text), to, options);
}

/** Of two operators who send a lead back at once one does: the other would take it from whoever has just got it. */
async function readMove(operator: Operator, leadId: string) {
  const lead = await readLastChanges(await operator.database(), leadId);
  return lead && { round: lead.round, move: lead.move };
}

async function handOverOne(
  operator: Operator,
  leadId: string,
  { target, warnings }: Target,
  { personal = false, liftsExclusion = false, ...options }: Options,
) {
  const terms = {
    ...{ releasedAgentId: null, onlyWaiting: false, movesResponded: true },
    ...{ movesPersonal: personal, liftsExclusion },
    onlyAt: target.kind === 'rules' ? await readMove(operator, leadId) : null,
  };
  const requestId = await requestHandOver(operator, { target, ...terms }, { ...options, leadId });
  const outcome = await sendHandOver(operator, leadId, requestId);
  if (!outcome.moved && outcome.reason !== 'there_already')
    throw new OperatorError(refusalText(leadId, outcome.reason));
  const database = await operator.database();
  const names = await readRecordNames(database, [target, outcome]);
  const lead = await readLeadOverview(database, leadId, operator.config.companyName);
  const isAnswered =
    outcome.moved && lead?.holder && lead.respondedAt && lead.responseInSeconds === null;
  const all = isAnswered ? [...warnings, ANSWERED_BEFORE] : warnings;
  const view = { leadId, requestId, ...outcome, names: Object.fromEntries(names), warnings: all };
  operator.show(view, (shown) => handOverText(shown, outcome, target));
}
