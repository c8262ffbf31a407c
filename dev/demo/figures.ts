import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Assignment, LeadStates, Sent } from './send.ts';

/** What the database alone can tell of the leads of a run. */
export interface Ledger {
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

export interface LedgerOptions {
  databaseUrl: string;
  leadIds: readonly string[];
  since: Date;
  timeoutMs: number;
}

const LOOK_AGAIN_MS = 500;

/** Waits until no delivery of the run waits, or the time is up, and reads the figures. */
export async function readLedger(options: LedgerOptions): Promise<Ledger> {
  const { databaseUrl, leadIds, since, timeoutMs } = options;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const read = async <Row>(statement: string) =>
    (await client.query(statement, [leadIds, since])).rows as Row[];
  try {
    const deliveries = await settledDeliveries(read, Date.now() + timeoutMs);
    const decided = await read<{ ms: number }>(DECIDED);
    const decisions = await read<Ledger['decisions'][number]>(DECISIONS);
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

export interface Tally {
  sent: number;
  created: number;
  mergedByPhone: number;
  mergedByEmail: number;
  repeat: number;
  needingReview: number;
  agentEnquiries: number;
  /** Leads that the run made or merged into. */
  leads: number;
  statuses: Record<Assignment['status'], number>;
  agents: { name: string; leads: number }[];
}

export function tallyOf(sent: readonly Sent[], standings: LeadStates): Tally {
  const answers = sent.map(({ answer }) => answer);
  const fresh = answers.filter((answer) => !answer.merged);
  const merged = answers.filter((answer) => answer.merged);
  const where = [...standings.values()];
  const statusCount = (wanted: Assignment['status']) =>
    where.filter(({ status }) => status === wanted).length;
  return {
    sent: sent.length,
    created: fresh.length,
    mergedByPhone: merged.filter(({ matchedOn }) => matchedOn === 'phone').length,
    mergedByEmail: merged.filter(({ matchedOn }) => matchedOn === 'email').length,
    repeat: fresh.filter(({ isRepeatLead }) => isRepeatLead).length,
    needingReview: fresh.filter(({ needsIntakeReview }) => needsIntakeReview).length,
    agentEnquiries: fresh.filter(({ isAgentEnquiry }) => isAgentEnquiry).length,
    leads: where.length,
    statuses: {
      assigned: statusCount('assigned'),
      pool: statusCount('pool'),
      unassigned: statusCount('unassigned'),
      pending: statusCount('pending'),
    },
    agents: agentsOf(where),
  };
}

/** Whoever has most comes first. */
function agentsOf(where: readonly Assignment[]): Tally['agents'] {
  const counts = new Map<string, number>();
  for (const { agent } of where) {
    if (agent) counts.set(agent.name, (counts.get(agent.name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, leads]) => ({ name, leads }))
    .sort((a, b) => b.leads - a.leads || a.name.localeCompare(b.name));
}

/** The value that this share of the list does not exceed; null for an empty list. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
