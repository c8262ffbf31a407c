import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** What the database alone can tell of the leads of a run. */
export interface Books {
  /** From the lead's creation to its first decision, where rules made it. */
  decidedAfterMs: number[];
  /** How many decisions each rule made, the most first. */
  decisions: { decider: string; leads: number }[];
  deliveries: Deliveries;
}

export interface Deliveries {
  delivered: number;
  failed: number;
  waiting: number;
  /** From the event to its delivery. */
  tookMs: number[];
}

export interface BooksOptions {
  databaseUrl: string;
  leadIds: readonly string[];
  since: Date;
  timeoutMs: number;
}

const LOOK_AGAIN_MS = 500;

/** Waits until no delivery of the run waits, or the time is up, and reads the figures. */
export async function readBooks(options: BooksOptions): Promise<Books> {
  const { databaseUrl, leadIds, since, timeoutMs } = options;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const read = async <Row>(statement: string) =>
    (await client.query(statement, [leadIds, since])).rows as Row[];
  try {
    const deliveries = await settledDeliveries(read, Date.now() + timeoutMs);
    const decided = await read<{ ms: number }>(DECIDED);
    const decisions = await read<Books['decisions'][number]>(DECISIONS);
    return { deliveries, decidedAfterMs: decided.map(({ ms }) => ms), decisions };
  } finally {
    await client.end();
  }
}

type Read = <Row>(statement: string) => Promise<Row[]>;
type Delivery = { status: 'pending' | 'delivered' | 'failed'; ms: number };

async function settledDeliveries(read: Read, deadline: number): Promise<Deliveries> {
  for (;;) {
    const rows = await read<Delivery>(DELIVERIES);
    const waiting = rows.filter(({ status }) => status === 'pending').length;
    if (waiting === 0 || Date.now() > deadline) return tallied(rows, waiting);
    await sleep(LOOK_AGAIN_MS);
  }
}

function tallied(rows: readonly Delivery[], waiting: number): Deliveries {
  const delivered = rows.filter(({ status }) => status === 'delivered');
  const failed = rows.length - delivered.length - waiting;
  return { delivered: delivered.length, failed, waiting, tookMs: delivered.map(({ ms }) => ms) };
}

const milliseconds = (from: string, to: string) =>
  `(extract(epoch from ${to} - ${from}) * 1000)::float8`;

const DELIVERIES = `
select d.status, ${milliseconds('d.created_at', 'd.finished_at')} as ms
from webhook_deliveries d
where d.lead_id = any($1::uuid[]) and d.created_at >= $2`;

const DECIDED = `
select ${milliseconds('l.created_at', 'a.decided_at')} as ms
from leads l join assignments a on a.lead_id = l.id and a.round = 1 and a.move = 0
where l.id = any($1::uuid[]) and l.created_at >= $2 and a.decided_by = 'rules'`;

const DECISIONS = `
select coalesce(a.rule_name, case a.decided_by
    when 'listing' then '(agent of the listing)' when 'assigned_by' then '(assignedBy)'
    when 'rules' then '(no rule)' else '(' || a.decided_by || ')' end) as decider,
  count(*)::int as leads
from assignments a where a.lead_id = any($1::uuid[]) and a.decided_at >= $2
group by 1 order by 2 desc, 1`;
