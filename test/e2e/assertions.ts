import { waitUntil } from '../../dev/wait-until.ts';
import type { Database } from '../../store/db/database.ts';
import { historyIssues, type LeadRecord } from './transitions.ts';

/** Waits until no lead is pending, no outbox row is left and no follow-up is due. */
export async function waitUntilIdle(database: Database): Promise<void> {
  await waitUntil(
    async () => {
      const [open] = await database.query<Record<string, number>>(
        `select (select count(*)::int from leads where assignment_status = 'pending') as pending,
           (select count(*)::int from lead_outbox) as outbox,
           (select count(*)::int from leads where follow_up_due_at is not null) as due`,
      );
      if (Object.values(open ?? {}).some((count) => count > 0))
        throw new Error(JSON.stringify(open));
    },
    { what: 'An idle service', timeoutMs: 240_000, everyMs: 200 },
  );
}

/** Does the work for each item, `width` at a time. */
export async function inLanes<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = [...items];
  const lane = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Every history is a path of the transition table, with one owner, one outcome per move and one event per outcome. */
export function expectPaths(leads: ReadonlyMap<string, LeadRecord>): void {
  const differing = [...leads].map(([id, lead]) => ({ id, issues: historyIssues(lead) }));
  expect(differing.filter(({ issues }) => issues.length > 0)).toEqual([]);
}

export async function leadRecords(database: Database): Promise<Map<string, LeadRecord>> {
  const rows = await database.query<{ id: string; record: LeadRecord }>(LEAD_RECORDS_SQL);
  return new Map(rows.map(({ id, record }) => [id, record]));
}

const LEAD_RECORDS_SQL = `
select l.id, jsonb_build_object(
  'status', l.assignment_status, 'round', l.round, 'moves', l.moves, 'ownerId', l.owner_id,
  'isPersonal', l.is_personal,
  'history', coalesce((select jsonb_agg(jsonb_build_object(
      'round', a.round, 'move', a.move, 'status', a.status, 'agentId', a.agent_id,
      'previousAgentId', a.previous_agent_id, 'poolId', a.pool_id, 'decidedBy', a.decided_by) order by a.round, a.move)
    from assignments a where a.lead_id = l.id), '[]'),
  'events', (select jsonb_agg(jsonb_build_object(
      'type', e.type, 'sequence', e.sequence,
      'agentId', e.body::jsonb #> '{data,agent,id}',
      'previousAgentId', e.body::jsonb #> '{data,previousAgentId}') order by e.sequence)
    from webhook_events e where e.lead_id = l.id)) as record
from leads l`;

/** The most leads that one agent was assigned on one day of their time zone. */
export async function mostInADay(database: Database, agentIds: readonly string[]): Promise<number> {
  const [row] = await database.query<{ most: number }>(
    `select coalesce(max(given), 0)::int as most from (
       select count(*) as given from assignments a join agents g on g.id = a.agent_id
       where a.agent_id = any ($1::uuid[])
       group by a.agent_id, (a.decided_at at time zone g.time_zone)::date) each_day`,
    [agentIds],
  );
  return row?.most ?? 0;
}

export async function creditsOf(database: Database, teamId: string) {
  const rows = await database.query<{ agent: string; credit: number | null }>(
    `select agent_id as agent, owed_leads as credit from team_members where team_id = $1`,
    [teamId],
  );
  return Object.fromEntries(rows.map(({ agent, credit }) => [agent, credit]));
}
