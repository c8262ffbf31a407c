import {
  type Period,
  localText,
  type AgentState,
  type CalendarDay,
} from '../../domain/routing/calendar.ts';
import type { AgentIdentity, NamedCalendar } from '../../store/routing/agents.ts';
import { tableOf } from '../table.ts';
import { count } from '../text.ts';

export interface CalendarView {
  agent: AgentIdentity;
  timeZone: string;
  state: AgentState;
  /** Null: not within a year. */
  nextWorkingAt: Date | null;
  days: CalendarDay<NamedCalendar>[];
}

export function calendarText(view: CalendarView): string {
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

export const absencesText = tableOf<AgentAbsence>(
  { agent: 'agent', 'e-mail': 'email', from: 'from', to: 'to', state: stateOf, note: 'note' },
  {
    none: 'Nobody is absent.',
    narrow: { agent: 'agent', from: 'from', to: 'to', state: stateOf, note: 'note' },
  },
);

function stateOf({ isNow }: AgentAbsence): string {
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

export function absentText({
  agent,
  absence,
  isOver,
  isToCome,
  overlaps,
  waiting,
}: AbsentView): string {
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

export function cancelledText(view: { agent: AgentIdentity; cancelled: Period[] }): string {
  const periods = view.cancelled.map(periodText).join(' and ');
  return `The absence of ${view.agent.name} ${periods} is cancelled.`;
}

export const periodText = ({ from, to }: Period) =>
  from === to ? `on ${from}` : `from ${from} to ${to}`;
