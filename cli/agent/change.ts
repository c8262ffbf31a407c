import type { Command } from 'commander';
import { goesBefore, spanOf, type DatedHours } from '../../domain/routing/calendar.ts';
import {
  formatHours,
  overlapIssues,
  doubtfulHours,
  parseHours,
  workingHoursIssues,
  type WorkingHours,
} from '../../domain/routing/working-hours.ts';
import { formatIssue } from '../../domain/validation-issues.ts';
import { readReleasable } from '../../store/assignment/hand-overs.ts';
import {
  changeDatedHours,
  countOpenLeads,
  readAgentCalendar,
  readTeamMembers,
  type AgentIdentity,
} from '../../store/routing/agents.ts';
import { findNearNames } from '../../store/routing/rulesets.ts';
import { capOrNone } from '../arguments.ts';
import { mayProceed, withConsent, type Consent } from '../confirm.ts';
import { runImport } from '../dataset/run-import.ts';
import { releaseText } from '../lead/hand-over-request.ts';
import { OperatorError, connectToTemporal, type Operator, type Run } from '../operator.ts';
import { count, notFoundText } from '../text.ts';
import { optionIssues, periodText } from './calendar.ts';
import { AGENT_TEXT, findAgent } from './find-agent.ts';
import { findTarget, release, TARGETS } from './release.ts';

export function addChangeCommands(agent: Command, run: Run): void {
  agent
    .command('activate')
    .description('Let rules and operators give an agent leads again.')
    .argument('<agent>', AGENT_TEXT)
    .action(run(activate));
  withConsent(agent.command('deactivate'))
    .description('Give an agent no lead any more; what they hold stays theirs without --release.')
    .argument('<agent>', AGENT_TEXT)
    .option('--release <target...>', `hand over what they hold without a response: ${TARGETS}`)
    .action(run(deactivate));
  agent
    .command('cap')
    .description('How many leads an agent gets in a day, and how many they may hold open.')
    .argument('[agent]', AGENT_TEXT)
    .option('--team <name>', 'of all members of this team')
    .option('--daily <number>', 'leads a day, or none', capOrNone)
    .option('--open <number>', 'leads without a response, or none', capOrNone)
    .action(run(setCaps));
  agent
    .command('hours')
    .description('When an agent works, always or on some days.')
    .argument('[agent]', `${AGENT_TEXT}; left out with --team`)
    .argument('[hours]', 'such as "mon-fri 09:00-18:00, sat 10:00-14:00", or any')
    .option('--team <name>', 'of all members of this team')
    .option('--from <date>', 'only on these days, instead of the usual hours: the first one')
    .option('--to <date>', 'the last one')
    .option('--cancel', 'take back the hours of these days', false)
    .action(run(setHours));
}

/** Changes all agents, or, if there is an issue, none. */
async function changeAgents(operator: Operator, agents: readonly AgentIdentity[], fields: object) {
  const dataset = { agents: agents.map(({ email }) => ({ email, ...fields })) };
  const outcome = await runImport(operator, { dataset }, { shownChanges: agents.length });
  if (outcome.kind === 'invalid') throw new OperatorError(outcome.issues.map(formatIssue));
  return outcome.changes.agents?.records ?? [];
}

async function changeAndShow(
  operator: Operator,
  agents: readonly AgentIdentity[],
  fields: object,
  note: string | null = null,
) {
  const changes = await changeAgents(operator, agents, fields);
  const { recordLines } = await import('../views/import.ts');
  const text = () =>
    changes.length === 0 ? 'It was so already.' : changes.flatMap(recordLines).join('\n');
  operator.show({ agents, ...fields, changed: changes.length }, text, note);
}

async function activate(operator: Operator, text: string) {
  await changeAndShow(operator, [await findAgent(operator, text)], { active: true });
}

async function deactivate(
  operator: Operator,
  text: string,
  { release: to, ...consent }: Consent & { release?: string[] },
) {
  const agent = await findAgent(operator, text);
  const target = to && (await findTarget(operator, agent, to));
  const database = await operator.database();
  const held = await countOpenLeads(database, agent.id);
  const releasable = await readReleasable(database, { agentId: agent.id, ...RELEASED });
  const leads = target ? releasable.length : held;
  const warnings = await target?.warningsFor(releasable.map(({ id }) => id));
  const open = `${count(leads, 'lead')} without a response`;
  const fate = target ? `${leads === 1 ? 'is' : 'are'} handed over` : stayTheirs(leads);
  const personal = count(held - leads, 'lead');
  const rest =
    leads < held ? `; ${personal} of Personal distribution ${stayTheirs(held - leads)}` : '';
  const what = `${agent.name} gets no lead any more; ${open} ${fate}${rest}.`;
  const active = 'leadctl agent activate makes the agent active again';
  const outlook = target ? `${active}; the leads stay where they went` : active;
  const question = { what, size: { agent, leads }, warnings, outlook };
  if (!(await mayProceed(operator, question, consent))) return;
  if (target) await connectToTemporal(operator); // before anything is changed
  const { length: changed } = await changeAgents(operator, [agent], { active: false });
  const words = ['agent', 'release', agent.email, '--to', ...(to ?? [])];
  const released = target && (await release(operator, agent, target, RELEASED, { words }));
  operator.show({ agent, active: false, changed, leads, ...released?.view }, () =>
    [
      changed ? `${agent.name} is not active.` : `${agent.name} was not active already.`,
      released
        ? releaseText(released.view)
        : `They hold ${open}: leadctl agent release ${agent.email} hands over what an agent holds.`,
    ].join('\n'),
  );
  if (released?.failure) throw released.failure;
}

const RELEASED = { onlyWaiting: false, movesResponded: false };

const stayTheirs = (leads: number) => `${leads === 1 ? 'stays' : 'stay'} theirs`;

interface CapOptions {
  team?: string;
  daily?: number | 'none';
  open?: number | 'none';
}

async function setCaps(
  operator: Operator,
  text: string | undefined,
  { team, daily, open }: CapOptions,
) {
  const fields = {
    ...(daily !== undefined && { dailyCap: daily === 'none' ? null : daily }),
    ...(open !== undefined && { openCap: open === 'none' ? null : open }),
  };
  if (Object.keys(fields).length === 0) throw new OperatorError('Say --daily, --open, or both.');
  await changeAndShow(operator, await findAll(operator, text, team), fields);
}

async function findAll(operator: Operator, text?: string, team?: string): Promise<AgentIdentity[]> {
  if ((text === undefined) === (team === undefined))
    throw new OperatorError('Name an agent, or a team by --team.');
  if (text !== undefined) return [await findAgent(operator, text)];
  const database = await operator.database();
  const members = await readTeamMembers(database, team ?? '');
  if (members === null) {
    const near = await findNearNames(database, 'team', team ?? '');
    throw new OperatorError(notFoundText('Team not found by this name', near));
  }
  if (members.length === 0) throw new OperatorError('This team has no members.');
  return members;
}

interface HoursOptions {
  team?: string;
  from?: string;
  to?: string;
  cancel: boolean;
}

async function setHours(
  operator: Operator,
  first: string | undefined,
  second: string | undefined,
  { team, from, to, cancel }: HoursOptions,
) {
  if (cancel && team !== undefined && first !== undefined)
    throw new OperatorError('Name an agent, or a team by --team.');
  const [agent, text] =
    team === undefined || second !== undefined ? [first, second] : [undefined, first];
  const agents = await findAll(operator, agent, team);
  const workingHours = cancel ? {} : readHours(text);
  if (from === undefined && to === undefined && !cancel)
    return changeAndShow(operator, agents, { workingHours }, overnightNote(workingHours));
  await setDatedHours(operator, agents, { from, to, workingHours }, cancel);
}

function readHours(text = ''): WorkingHours {
  const hours = parseHours(text);
  const issues = [...workingHoursIssues(hours), ...overlapIssues(hours)];
  if (issues.length === 0) return hours;
  const example = 'Say the hours as "mon-fri 09:00-18:00, sat 10:00-14:00", or any for all time.';
  throw new OperatorError([...issues, example]);
}

/** Also covers two times in the wrong order, which are read as hours through the night. */
function overnightNote(hours: WorkingHours): string | null {
  const lines = doubtfulHours(hours, 1).map((text) => `${text}.`);
  return lines.join('\n') || null;
}

async function setDatedHours(
  operator: Operator,
  agents: readonly AgentIdentity[],
  hours: { from?: string; to?: string; workingHours: WorkingHours },
  isCancelled: boolean,
) {
  const { datedHoursSchema } = await import('../../store/dataset/people.ts');
  const { data, error } = datedHoursSchema.safeParse({ agent: 'agent', ...hours });
  if (!data) throw new OperatorError(optionIssues(error));
  const database = await operator.database();
  const ids = agents.map(({ id }) => id);
  const changed = await changeDatedHours(database, ids, data, isCancelled);
  if (isCancelled && changed === 0)
    throw new OperatorError('There are no such hours; see leadctl agent calendar.');
  const { from, to, workingHours } = data;
  const names = agents.map(({ name }) => name).join(', ');
  const view = { agents, from, to, workingHours, isCancelled, changed };
  if (isCancelled)
    return operator.show(view, () => `The hours of ${names} ${periodText(data)} are cancelled.`);
  const situation = await readSituation(operator, agents, data);
  const text = `${names}: ${formatHours(workingHours)}, ${periodText(data)}.`;
  operator.show(
    { ...view, ...situation },
    ({ isOver, overlaps }) =>
      [text, ...(isOver ? [DAYS_ARE_OVER] : overlaps.map(overlapText))].join('\n'),
    overnightNote(workingHours),
  );
}

const DAYS_ARE_OVER = 'These days are over: from now on the hours are as before.';

/** `counts`: whether the hours apply on the days of both. */
type OverlappingHours = DatedHours & { agent: string; counts: boolean };

async function readSituation(
  operator: Operator,
  agents: readonly AgentIdentity[],
  hours: DatedHours,
) {
  const [database, now] = [await operator.database(), operator.now()];
  const overlaps: OverlappingHours[] = [];
  let isOver = true;
  for (const { id, name: agent } of agents) {
    const { datedHours = [], timeZone } = await readAgentCalendar(database, id, now);
    isOver &&= spanOf(hours, timeZone).endMs <= now.getTime();
    const others = datedHours.filter(
      ({ from, to }) =>
        from <= hours.to && to >= hours.from && !(from === hours.from && to === hours.to),
    );
    overlaps.push(...others.map((each) => ({ agent, ...each, counts: goesBefore(each, hours) })));
  }
  return { isOver, overlaps };
}

function overlapText({ agent, counts, ...hours }: OverlappingHours): string {
  const which = counts ? 'those, which begin later or end earlier, count' : 'the new ones count';
  return `${agent} has ${formatHours(hours.workingHours)} ${periodText(hours)} already: on the days of both ${which}.`;
}
