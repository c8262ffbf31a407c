import type { ZodError } from 'zod';
import {
  agentStateAt,
  calendarDays,
  isWithin,
  localText,
  nextWorkingMoment,
  spanOf,
  type AgentState,
  type CalendarDay,
  type Period,
} from '../../domain/routing/calendar.ts';
import { isTimeZone } from '../../domain/routing/local-time.ts';
import { formatIssue, issueAt } from '../../domain/validation-issues.ts';
import {
  addAbsence,
  countOpenLeads,
  readAgentCalendar,
  readAgents,
  removeAbsences,
  type AgentEntry,
  type AgentIdentity,
  type NamedCalendar,
} from '../../store/routing/agents.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { tableOf } from '../table.ts';
import { clockTime, count } from '../text.ts';

const YEAR_MS = 366 * 86_400_000;

export async function showCalendar(operator: Operator, agent: AgentIdentity, weeks: number) {
  const now = operator.now();
  const calendar = await readAgentCalendar(await operator.database(), agent.id, now);
  if (!isTimeZone(calendar.timeZone))
    throw new OperatorError(
      `The time zone of ${agent.name}, "${calendar.timeZone}", is not known, so no rule chooses them. Import the agent with a timeZone such as ${operator.config.companyTimeZone}.`,
    );
  const { timeZone } = calendar;
  const state = agentStateAt(calendar, now);
  const nextWorkingAt = nextWorkingMoment(calendar, now, new Date(now.getTime() + YEAR_MS));
  const days = calendarDays(calendar, now, weeks * 7);
  operator.show({ agent, timeZone, state, nextWorkingAt, days }, (shown) => {
    const { name } = shown.agent;
    const text = stateText(state, nextWorkingAt && localText(nextWorkingAt, timeZone));
    return `${name}, ${shown.timeZone}: ${text}.\n${daysText(shown.days)}`;
  });
}

function stateText(state: AgentState, nextWorking: string | null): string {
  if (state === 'working') return 'working now';
  const next = nextWorking ? `working again ${nextWorking}` : 'no working time within a year';
  return `${STATES[state]} now, ${next}`;
}

const STATES: Record<Exclude<AgentState, 'working'>, string> = {
  absent: 'absent',
  holiday: 'on holiday',
  outside_working_hours: 'outside working hours',
};

const daysText = tableOf<CalendarDay<NamedCalendar>>({
  day: ({ weekday, date }) => `${weekday} ${date}`,
  hours: 'hours',
  '': ({ absences, holidays }) =>
    [
      ...absences.map(({ note }) => (note === null ? 'absent' : `absent: ${note}`)),
      ...holidays.map(({ name }) => `holiday: ${name}`),
    ].join('; '),
});

export async function showAbsences(operator: Operator) {
  const now = operator.now();
  const agents = await readAgents(await operator.database(), now);
  const absences = agents.flatMap(({ name: agent, email, timeZone, absences: each }) =>
    each
      .filter((absence) => spanOf(absence, timeZone).endMs > now.getTime())
      .map((absence) => ({ agent, email, ...absence, isNow: isWithin(absence, timeZone, now) })),
  );
  const inOrder = absences.toSorted((a, b) => a.from.localeCompare(b.from));
  operator.show(inOrder, absencesText);
}

type AgentAbsence = AgentEntry['absences'][number] & {
  agent: string;
  email: string;
  isNow: boolean;
};

const absencesText = tableOf<AgentAbsence>(
  {
    agent: 'agent',
    'e-mail': 'email',
    from: 'from',
    to: 'to',
    state: ({ isNow }) => (isNow ? 'absent now' : 'to come'),
    note: 'note',
  },
  'Nobody is absent.',
);

export interface AbsenceFlags {
  from?: string;
  to?: string;
  note?: string;
  cancel?: boolean;
}

export async function setAbsence(operator: Operator, agent: AgentIdentity, flags: AbsenceFlags) {
  if (flags.cancel) return cancelAbsence(operator, agent, flags);
  const absence = await parseAbsence(agent, flags);
  const database = await operator.database();
  await addAbsence(database, agent.id, absence);
  const waiting = await countOpenLeads(database, agent.id);
  const state = await readSituation(operator, agent.id, absence);
  operator.show({ agent, absence, ...state, waiting }, absentText);
}

async function parseAbsence({ email }: AgentIdentity, { from, to, note }: AbsenceFlags) {
  if (from === undefined || to === undefined)
    throw new OperatorError('--from and --to are needed.');
  const { absenceSchema } = await import('../../store/dataset/people.ts');
  const { data, error } = absenceSchema.safeParse({ agent: email, from, to, note });
  if (data) return { from: data.from, to: data.to, note: data.note };
  const issues = optionIssues(error);
  throw new OperatorError(
    issues.map((issue) => issue.replace('--to: is before "from"', '--to is before --from')),
  );
}

export const optionIssues = ({ issues }: ZodError) =>
  issues.map(({ path, message }) => `--${formatIssue(issueAt(path, message))}`);

async function readSituation(operator: Operator, agentId: string, absence: Period) {
  const now = operator.now();
  const { timeZone, absences } = await readAgentCalendar(await operator.database(), agentId, now);
  const { startMs, endMs } = spanOf(absence, timeZone);
  const overlaps = absences.filter((each) => {
    const other = spanOf(each, timeZone);
    const isSame = each.from === absence.from && each.to === absence.to;
    return !isSame && other.startMs < endMs && startMs < other.endMs;
  });
  return { isOver: endMs <= now.getTime(), isToCome: startMs > now.getTime(), overlaps };
}

async function cancelAbsence(operator: Operator, agent: AgentIdentity, { from, to }: AbsenceFlags) {
  const now = operator.now();
  const database = await operator.database();
  const { absences, timeZone } = await readAgentCalendar(database, agent.id, now);
  const cancelled = absences.filter((absence) =>
    from === undefined && to === undefined
      ? isWithin(absence, timeZone, now)
      : isAt(absence.from, from, timeZone) && isAt(absence.to, to, timeZone),
  );
  if (cancelled.length === 0)
    throw new OperatorError(`${agent.name} has no such absence; see leadctl agent absences.`);
  await removeAbsences(database, agent.id, cancelled);
  operator.show({ agent, cancelled }, (shown) => {
    const periods = shown.cancelled.map(periodText).join(' and ');
    return `The absence of ${shown.agent.name} ${periods} is cancelled.`;
  });
}

/** A time also matches the date that it has in the agent's time zone. */
function isAt(end: string, wanted: string | undefined, timeZone: string): boolean {
  if (wanted === undefined || wanted === end) return true;
  if (!end.includes('T')) return false;
  return wanted.includes('T')
    ? Date.parse(wanted) === Date.parse(end)
    : clockTime(end, timeZone).startsWith(wanted);
}

type AbsentView = Awaited<ReturnType<typeof readSituation>> & {
  agent: AgentIdentity;
  absence: Period;
  waiting: number;
};

function absentText({ agent, absence, isOver, isToCome, overlaps, waiting }: AbsentView): string {
  if (isOver)
    return `${agent.name} was absent ${periodText(absence)}. That is over: rules choose them as before.`;
  const verb = isToCome ? 'will be' : 'is';
  const absent = [
    `${agent.name} ${verb} absent ${periodText(absence)}: no rule chooses them${isToCome ? ' then' : ''}.`,
    ...overlaps.map((each) => `It overlaps their absence ${periodText(each)}.`),
  ].join('\n');
  if (isToCome || waiting === 0) return absent;
  const [waits, them] = waiting === 1 ? ['waits', 'it'] : ['wait', 'them'];
  const release = `leadctl agent release ${agent.email} hands ${them} over`;
  return `${absent}\n${count(waiting, 'lead')} ${waits} for their response: ${release}.`;
}

export const periodText = ({ from, to }: Period) =>
  from === to ? `on ${from}` : `from ${from} to ${to}`;
