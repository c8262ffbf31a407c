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
  type AgentIdentity,
  type NamedCalendar,
} from '../../store/routing/agents.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { tableOf } from '../table.ts';
import { clockTime, count } from '../text.ts';

const YEAR_MS = 366 * 86_400_000;

/** The next weeks of an agent, and whether they work now. */
export async function showCalendar(operator: Operator, agent: AgentIdentity, weeks: number) {
  const now = operator.now();
  const calendar = await readAgentCalendar(await operator.database(), agent.id, now);
  if (!isTimeZone(calendar.timeZone))
    throw new OperatorError(
      `The time zone of ${agent.name}, "${calendar.timeZone}", is not known, so no rule chooses them. Import the agent with a timeZone such as ${operator.config.companyTimeZone}.`,
    );
  const state = agentStateAt(calendar, now);
  const inAYear = new Date(now.getTime() + YEAR_MS);
  const { timeZone } = calendar;
  const view = {
    agent,
    timeZone,
    state,
    nextWorkingAt: nextWorkingMoment(calendar, now, inAYear),
    days: calendarDays(calendar, now, weeks * 7),
  };
  operator.show(view, calendarText);
}

/** Shows the absences of all agents, the earliest first. */
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

/** As an import reads it. */
async function parseAbsence({ email }: AgentIdentity, { from, to, note }: AbsenceFlags) {
  if (from === undefined || to === undefined)
    throw new OperatorError('--from and --to are needed.');
  const { absenceSchema } = await import('../../domain/catalogue/dataset/records.ts');
  const { data, error } = absenceSchema.safeParse({ agent: email, from, to, note });
  if (data) return { from: data.from, to: data.to, note: data.note };
  const issues = error.issues.map(({ path, message }) => issueAt(path, message));
  throw new OperatorError(
    issues.map((issue) => `--${formatIssue(issue)}`.replace(BEFORE_FROM, '--to is before --from')),
  );
}

const BEFORE_FROM = '--to: is before "from"';

/** Whether an absence is over, now or to come, and which others it overlaps. */
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

/** The absences that begin and end as given; without dates the one that is under way. */
async function cancelAbsence(operator: Operator, agent: AgentIdentity, flags: AbsenceFlags) {
  const now = operator.now();
  const calendar = await readAgentCalendar(await operator.database(), agent.id, now);
  const cancelled = calendar.absences.filter((each) => isMeant(each, flags, calendar, now));
  if (cancelled.length === 0)
    throw new OperatorError(`${agent.name} has no such absence; see leadctl agent absences.`);
  await removeAbsences(await operator.database(), agent.id, cancelled);
  operator.show({ agent, cancelled }, cancelledText);
}

function isMeant(
  absence: Period,
  { from, to }: AbsenceFlags,
  { timeZone }: NamedCalendar,
  now: Date,
) {
  if (from === undefined && to === undefined) return isWithin(absence, timeZone, now);
  return isAt(absence.from, from, timeZone) && isAt(absence.to, to, timeZone);
}

/** A time is also meant by its date in the agent's time zone. */
function isAt(end: string, wanted: string | undefined, timeZone: string): boolean {
  if (wanted === undefined || wanted === end) return true;
  if (!end.includes('T')) return false;
  return wanted.includes('T')
    ? Date.parse(wanted) === Date.parse(end)
    : clockTime(end, timeZone).startsWith(wanted);
}

export interface CalendarView {
  agent: AgentIdentity;
  timeZone: string;
  state: AgentState;
  /** Null: not within a year. */
  nextWorkingAt: Date | null;
  days: CalendarDay<NamedCalendar>[];
}

function calendarText(view: CalendarView): string {
  const { agent, timeZone } = view;
  return [`${agent.name}, ${timeZone}: ${stateText(view)}.`, daysText(view.days)].join('\n');
}

function stateText({ state, timeZone, nextWorkingAt }: CalendarView): string {
  if (state === 'working') return 'working now';
  const next = nextWorkingAt
    ? `working again ${localText(nextWorkingAt, timeZone)}`
    : 'no working time within a year';
  return `${STATES[state]} now, ${next}`;
}

const daysText = tableOf<CalendarDay<NamedCalendar>>({
  day: ({ weekday, date }) => `${weekday} ${date}`,
  hours: 'hours',
  '': ({ absences, holidays }) =>
    [
      ...absences.map(({ note }) => (note === null ? 'absent' : `absent: ${note}`)),
      ...holidays.map(({ name }) => `holiday: ${name}`),
    ].join('\n'),
});

const STATES: Record<AgentState, string> = {
  working: 'working',
  absent: 'absent',
  holiday: 'on holiday',
  outside_working_hours: 'outside working hours',
};

export interface AgentAbsence extends Period {
  agent: string;
  email: string;
  note: string | null;
  isNow: boolean;
}

const absencesText = tableOf<AgentAbsence>(
  { agent: 'agent', 'e-mail': 'email', from: 'from', to: 'to', state: whenText, note: 'note' },
  {
    none: 'Nobody is absent.',
    narrow: { agent: 'agent', from: 'from', to: 'to', state: whenText, note: 'note' },
  },
);

function whenText({ isNow }: AgentAbsence): string {
  return isNow ? 'absent now' : 'to come';
}

export interface AbsentView {
  agent: AgentIdentity;
  absence: Period;
  isOver: boolean;
  isToCome: boolean;
  /** Their other absences in these days. */
  overlaps: Period[];
  /** Leads that they hold without a recorded response. */
  waiting: number;
}

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

function cancelledText(view: { agent: AgentIdentity; cancelled: Period[] }): string {
  const periods = view.cancelled.map(periodText).join(' and ');
  return `The absence of ${view.agent.name} ${periods} is cancelled.`;
}

export const periodText = ({ from, to }: Period) =>
  from === to ? `on ${from}` : `from ${from} to ${to}`;
