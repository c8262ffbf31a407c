import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

interface LedgerOptions {
  databaseUrl: string;
  leadIds: readonly string[];
  since: Date;
  timeoutMs: number;
}

const POLL_INTERVAL_MS = 500;

/**
 * Waits until no delivery of the run is pending, or the timeout, and reads figures of the run's leads that only the
 * database holds.
 */
export async function readLedger({ databaseUrl, leadIds, since, timeoutMs }: LedgerOptions) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const read = async <Row>(sql: string) =>
    (await client.query(sql, [leadIds, since])).rows as Row[];
  try {
    const deliveries = await finishedDeliveries(read, Date.now() + timeoutMs);
    const decided = await read<{ ms: number }>(DECISION_TIMES_SQL);
    const decisions = await read<{ decider: string; leads: number }>(DECISIONS_SQL);
    return { deliveries, decidedAfterMs: decided.map(({ ms }) => ms), decisions };
  } finally {
    await client.end();
  }
}

type Read = <Row>(sql: string) => Promise<Row[]>;
type Delivery = { status: 'pending' | 'delivered' | 'failed'; ms: number };

async function finishedDeliveries(read: Read, deadline: number) {
  for (;;) {
    const counts = countDeliveries(await read<Delivery>(DELIVERIES_SQL));
    if (counts.waiting === 0 || Date.now() > deadline) return counts;
    await sleep(POLL_INTERVAL_MS);
  }
}

function countDeliveries(rows: readonly Delivery[]) {
  const { pending = [], delivered = [], failed = [] } = Object.groupBy(rows, (row) => row.status);
  return {
    delivered: delivered.length,
    failed: failed.length,
    waiting: pending.length,
    /** From the event to its delivery. */
    tookMs: delivered.map(({ ms }) => ms),
  };
}

const milliseconds = (from: string, to: string) =>
  `(extract(epoch from ${to} - ${from}) * 1000)::float8`;

const DELIVERIES_SQL = `
select d.status, ${milliseconds('d.created_at', 'd.finished_at')} as ms
from webhook_deliveries d
where d.lead_id = any($1::uuid[]) and d.created_at >= $2`;

/** From the lead's creation to its first assignment, of those that rules decided. */
const DECISION_TIMES_SQL = `
select ${milliseconds('l.created_at', 'a.decided_at')} as ms
from leads l join assignments a on a.lead_id = l.id and a.round = 1 and a.move = 0
where l.id = any($1::uuid[]) and l.created_at >= $2 and a.decided_by = 'rules'`;

/** How many assignments each rule decided, in descending order. */
const DECISIONS_SQL = `
select coalesce(a.rule_name, case a.decided_by
    when 'listing' then '(agent of the listing)' when 'assigned_by' then '(assignedBy)'
    when 'rules' then '(no rule)' else '(' || a.decided_by || ')' end) as decider,
  count(*)::int as leads
from assignments a where a.lead_id = any($1::uuid[]) and a.decided_at >= $2
group by 1 order by 2 desc, 1`;
