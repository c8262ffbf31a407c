import {
  isWithin,
  nextWorkingMoment,
  spanOf,
  agentStateAt,
  calendarDays,
  type Period,
} from '../../domain/routing/calendar.ts';
import { isTimeZone } from '../../domain/routing/local-time.ts';
import { formatIssue, issueAt } from '../../domain/validation-issues.ts';
import {
  countOpenLeads,
  readAgents,
  type AgentIdentity,
  addAbsence,
  readAgentCalendar,
  removeAbsences,
  type NamedCalendar,
} from '../../store/routing/agents.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { clockTime } from '../text.ts';
import { absencesText, absentText, calendarText, cancelledText } from '../views/calendar.ts';

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
    ...{ agent, timeZone, state },
    nextWorkingAt: nextWorkingMoment(calendar, now, inAYear),
    days: calendarDays(calendar, now, weeks * 7),
  };
  operator.show(view, calendarText);
}

/** Of all agents, the earliest first. */
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
  const state = await stateOf(operator, agent.id, absence);
  operator.show({ agent, absence, ...state, waiting }, absentText);
}

/** As an import reads it. */
async function parseAbsence({ email }: AgentIdentity, { from, to, note }: AbsenceFlags) {
  const { absenceSchema } = await import('../../domain/catalogue/dataset/records.ts');
  const { data, error } = absenceSchema.safeParse({ agent: email, from, to, note });
  if (data) return { from: data.from, to: data.to, note: data.note };
  const issues = error.issues.map(({ path, message }) => issueAt(path, message));
  throw new OperatorError(issues.map((issue) => `--${formatIssue(issue)}`));
}

/** In the agent's time zone. */
async function stateOf(operator: Operator, agentId: string, absence: Period) {
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
