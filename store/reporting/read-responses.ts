import type { Database } from '../db/database.ts';
import { statement } from '../db/statement.ts';

export const REPORTED_BY = ['agent', 'source', 'rule', 'hour'] as const;
export type ReportBy = (typeof REPORTED_BY)[number];

/** The second and third select the rows that count as a lead and as an assignment. */
const GROUPINGS: Record<ReportBy, [key: string, isLead: string, isAssigned: string]> = {
  agent: [
    '(select email from agents where id = agent_id)',
    'agent_id is not null or is_last',
    `status = 'assigned'`,
  ],
  source: ['(select name from list_entries where id = source_id)', 'is_last', 'is_first'],
  rule: [
    `coalesce(rule_name, 'no rule: ' || replace(decided_by, '_', ' '))`,
    'true',
    `status = 'assigned'`,
  ],
  hour: [`to_char(created_at at time zone :timeZone, 'HH24:00')`, 'is_last', 'is_first'],
};

type Count = 'leads' | 'assigned' | 'responded' | 'clocksEnded' | 'withinClock' | 'moves' | 'waits';
type Time = 'assignedP50' | 'assignedP90' | 'responseP50' | 'responseP90';

/** Times are in seconds, by nearest rank; null without values. */
export type ReportRow = { key: string | null } & Record<Count, number> &
  Record<Time, number | null>;

/** For leads created in the period. Hours are in `timeZone` and in order, other groups by leads; then the total. */
export function readResponses(
  database: Database,
  { by, ...period }: Period & { by: ReportBy },
): Promise<ReportRow[]> {
  return database.all(READ_RESPONSES[by], period);
}

interface Period {
  since: Date;
  until: Date;
  timeZone: string;
}

const percentiles = (from: string, to: string, where: string) =>
  `percentile_disc(array[0.5, 0.9]) within group (order by extract(epoch from ${to} - ${from})::float8)
      filter (where ${where})`;

/** The view `lead_assignments` omits agent enquiries, which are not demand. */
function responsesSql(by: ReportBy): string {
  const [key, isLead, isAssigned] = GROUPINGS[by];
  return `
select case when is_total then 'total' else key end as key, leads, assigned, responded, "clocksEnded", "withinClock",
  moves, waits, assigned_in[1] as "assignedP50", assigned_in[2] as "assignedP90",
  response_in[1] as "responseP50", response_in[2] as "responseP90"
from (
  select key, grouping(key) = 1 as is_total,
    count(*) filter (where ${isLead}) as leads,
    count(*) filter (where ${isAssigned}) as assigned,
    count(responded_at) as responded,
    count(due_at) filter (where responded_at is not null or due_at <= coalesce(ended_at, :until)) as "clocksEnded",
    count(*) filter (where responded_at <= due_at) as "withinClock",
    count(ended_at) as moves,
    count(*) filter (where has_waited and (${isLead})) as waits,
    ${percentiles('created_at', 'decided_at', isAssigned)} as assigned_in,
    ${percentiles('decided_at', 'responded_at', 'responded_at is not null')} as response_in
  from (
    select *, ${key} as key from lead_assignments where created_at >= :since and created_at <= :until
  ) each
  group by grouping sets ((key), ())) each
where is_total or leads > 0 or assigned > 0 or responded > 0 or moves > 0 or "clocksEnded" > 0
order by is_total, ${by === 'hour' ? '' : 'leads desc,'} key`;
}

const responsesBy = (by: ReportBy) =>
  statement<Period, ReportRow>(`read_responses_by_${by}`)`${responsesSql(by)}`;

const READ_RESPONSES: Record<ReportBy, ReturnType<typeof responsesBy>> = {
  agent: responsesBy('agent'),
  source: responsesBy('source'),
  rule: responsesBy('rule'),
  hour: responsesBy('hour'),
};
