import { CACHE_TTL_DAYS } from '../../domain/dncr/answer-cache.ts';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { Tables } from '../tables/index.ts';
import { WAS_IN_FEED } from '../webhooks/event-feed.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const DNCR_CACHE_AGES = {
  dncrAnswersMs: CACHE_TTL_DAYS * DAY_MS,
  dncrNumbersMs: HOUR_MS,
  dncrLeasesMs: 0,
};

/** Kept after they stop counting, for investigations. */
export const FIXED_AGES = {
  tokensMs: 7 * DAY_MS,
  quotaDaysMs: 401 * DAY_MS, // 400 days after the end of the day
  tokenFailuresMs: 2 * DAY_MS,
  previousSecretsMs: 0,
  ...DNCR_CACHE_AGES,
};

type AfterBatch = (rows: number) => void;

type Setting = 'deliveriesMs' | 'eventsMs' | 'explanationsMs' | 'checksMs';
type Ages = Readonly<Partial<Record<keyof typeof FIXED_AGES | Setting, number | null>>>;

interface RetentionRule {
  table: keyof Tables;
  /** The age of row `e` counts from here. */
  column: string;
  age: keyof Ages;
  where?: string;
  /** Empties columns instead of deleting the row. */
  set?: string;
  /** Runs in the same statement, on the deleted rows `removed`. */
  then?: string;
  figure?: string | null;
}

const IS_CLOSED = `(l.agent_responded_at is not null or l.assignment_status = 'unassigned')`;

const UNUSED_EVENTS = {
  table: 'webhook_events',
  column: 'created_at',
  where: `not exists (select from event_feed where event_id = e.id) and ${WAS_IN_FEED}
    and not exists (select from webhook_deliveries where event_id = e.id)`,
  figure: null,
} as const;

/** In the order of foreign keys. */
const RULES: readonly RetentionRule[] = [
  { table: 'oauth_tokens', column: 'expires_at', age: 'tokensMs' },
  { table: 'quota_usage', column: 'day', age: 'quotaDaysMs' },
  { table: 'token_failures', column: 'window_start', age: 'tokenFailuresMs' },
  {
    table: 'webhook_endpoints',
    column: 'previous_secret_until',
    age: 'previousSecretsMs',
    set: 'previous_secret_sealed = null, previous_secret_until = null',
  },
  { table: 'dncr_answers', column: 'checked_at', age: 'dncrAnswersMs' },
  {
    table: 'dncr_check_numbers',
    column: '(select requested_at from dncr_checks where id = e.check_id)',
    age: 'dncrNumbersMs',
  },
  { table: 'dncr_leases', column: 'lease_until', age: 'dncrLeasesMs' },
  {
    table: 'webhook_attempts',
    column: 'at',
    age: 'deliveriesMs',
    where: `exists (select from webhook_deliveries d where (d.event_id, d.endpoint_id) = (e.event_id, e.endpoint_id)
      and d.status in ('delivered', 'failed') and d.finished_at <= :before)`,
    figure: 'attempts',
  },
  {
    // The newest delivery of an endpoint stays: the endpoint's own events find a lead by it.
    table: 'webhook_deliveries',
    column: 'finished_at',
    age: 'deliveriesMs',
    where: `status = 'delivered'
      and created_at < (select max(created_at) from webhook_deliveries where endpoint_id = e.endpoint_id)
      and not exists (select from webhook_attempts a where (a.event_id, a.endpoint_id) = (e.event_id, e.endpoint_id))`,
  },
  {
    // The newest event of each client and type stays as a cursor. Rows are compared so that Postgres does not use the
    // primary key. The horizon rises in the same statement: a reader that missed an event finds out if it looks
    // afterwards.
    table: 'event_feed',
    column: 'at',
    age: 'eventsMs',
    where: `position < (
        select position from event_feed n where (n.client_id, n.type) >= (e.client_id, e.type)
          and (n.client_id, n.type) <= (e.client_id, e.type)
        order by n.client_id desc, n.type desc, n.position desc limit 1)
      and not exists (select from webhook_deliveries d where d.event_id = e.event_id and d.status <> 'delivered')`,
    then: `insert into event_feed_horizons as h (client_id, type, position, at)
      select client_id, type, max(position), max(at) from removed group by client_id, type order by client_id, type
      on conflict (client_id, type) do update set position = greatest(h.position, excluded.position),
        at = greatest(h.at, excluded.at)`,
  },
  { ...UNUSED_EVENTS, age: 'deliveriesMs' },
  { ...UNUSED_EVENTS, age: 'eventsMs' },
  {
    table: 'routing_decisions',
    column: `(select decided_at from assignments a join leads l on l.id = a.lead_id
      where a.id = e.assignment_id and ${IS_CLOSED})`,
    age: 'explanationsMs',
  },
  {
    // The rest has the end of the wait and the excluded agents.
    table: 'lead_waits',
    column: 'decided_at',
    age: 'explanationsMs',
    where: `explanation is not null and exists (select from leads l where l.id = e.lead_id and ${IS_CLOSED})`,
    set: 'explanation = null, roster = null',
  },
  { table: 'dncr_checks', column: 'requested_at', age: 'checksMs' },
];

/** Each batch is a transaction. `afterBatch` gets the number of rows and throws to end the purge. */
export async function purge(sql: Sql, ages: Ages, now: Date, afterBatch: AfterBatch = () => {}) {
  const figures: Record<string, number> = {};
  for (const rule of declaredRules) {
    const age = ages[rule.age] ?? null;
    if (age === null) continue;
    const before = new Date(now.getTime() - age).toISOString();
    const rows = await removeRows(sql, rule, before, afterBatch);
    const { figure = rule.age.replace(/Ms$/, '') } = rule;
    if (figure !== null) figures[figure] = (figures[figure] ?? 0) + rows;
  }
  return figures;
}

/** Of 8 KiB, with some hundred rows, whose locks last some milliseconds. */
const BATCH_BLOCKS = 16;

/** Reads the table once in storage order, without an index. */
async function removeRows(sql: Sql, rule: DeclaredRule, before: string, afterBatch: AfterBatch) {
  const size = await sql.first(COUNT_BLOCKS, { table: rule.table });
  let total = 0;
  for (let block = 0; block < (size?.blocks ?? 0); block += BATCH_BLOCKS) {
    const batch = { start: `(${block},0)`, end: `(${block + BATCH_BLOCKS},0)` };
    const removed = await sql.first(rule.removeBatch, { before, ...batch });
    total += removed?.rows ?? 0;
    afterBatch(removed?.rows ?? 0);
  }
  return total;
}

const COUNT_BLOCKS = statement<{ table: string }, { blocks: number }>('count_blocks')`
select ceil(pg_relation_size(:table::text::regclass) / 8192.0)::int as blocks`;

const removeBatchSql = ({
  table,
  column,
  where = 'true',
  set,
  then = 'select',
}: RetentionRule) => `with expired as materialized (
  select ctid from ${table} e
  where ctid >= :start::tid and ctid < :end::tid and ${column} <= :before and ${where}
  for update of e skip locked),
removed as (
  ${set ? `update ${table} e set ${set}` : `delete from ${table} e`}
  ${set ? 'from' : 'using'} expired where e.ctid = expired.ctid returning e.*),
further as (${then})
select count(*)::int as rows from removed`;

const declaredRules = RULES.map((rule) => ({
  ...rule,
  removeBatch: statement<Record<'before' | 'start' | 'end', string>, { rows: number }>(
    `remove_${rule.table}_by_${rule.age}`,
  )`${removeBatchSql(rule)}`,
}));

type DeclaredRule = (typeof declaredRules)[number];
