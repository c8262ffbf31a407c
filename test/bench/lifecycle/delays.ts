import type pg from 'pg';

/** The leads of one client since a moment. */
export interface Leads {
  endpointId: string;
  since: Date;
}

export interface Delays {
  assignedP50Ms: number;
  assignedP99Ms: number;
  deliveredP50Ms: number;
  deliveredP99Ms: number;
}

const LEADS = `leads l join webhook_endpoints p on p.client_id = l.client_id
  where p.id = $1 and l.created_at >= $2`;

const UNDONE_SQL = `select count(*)::int as count from ${LEADS} and (
  select count(*) from webhook_deliveries d where d.lead_id = l.id and d.status = 'delivered') < 2`;

/** How many have not had both of their webhooks delivered. */
export async function countUndone(database: pg.Client, leads: Leads): Promise<number> {
  const { rows } = await database.query(UNDONE_SQL, [leads.endpointId, leads.since]);
  return rows[0].count;
}

const percentiles = (span: string) =>
  `percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from ${span}) * 1000) as ms`;

// A lead that is not assigned yet counts as if it were assigned now, and so does a delivery below.
const ASSIGNED_SQL = `
  select ${percentiles('coalesce(a.decided_at, $3) - created_at')}
  from (select l.id, l.created_at from ${LEADS}) l
  left join assignments a on a.lead_id = l.id and a.move = 0`;

// `finished_at` is the beginning of the last attempt; the call itself belongs to the delay.
const DELIVERED_SQL = `
  select ${percentiles(`case when d.status = 'delivered'
    then greatest(d.finished_at, t.at + t.latency_ms * interval '1 millisecond') else $3 end - d.created_at`)}
  from webhook_deliveries d left join lateral (
    select at, latency_ms from webhook_attempts t
    where (t.event_id, t.endpoint_id) = (d.event_id, d.endpoint_id)
    order by at desc limit 1) t on true
  where d.endpoint_id = $1 and d.created_at >= $2`;

/** From the lead's creation to its assignment, and from an event to its delivered webhook. */
export async function readDelays(database: pg.Client, leads: Leads): Promise<Delays> {
  const values = [leads.endpointId, leads.since, new Date()];
  const read = async (sql: string) => (await database.query(sql, values)).rows[0].ms as number[];
  const [assignedP50Ms = NaN, assignedP99Ms = NaN] = await read(ASSIGNED_SQL);
  const [deliveredP50Ms = NaN, deliveredP99Ms = NaN] = await read(DELIVERED_SQL);
  return { assignedP50Ms, assignedP99Ms, deliveredP50Ms, deliveredP99Ms };
}
