import type { EndpointEvent } from '../../domain/webhooks/event-payloads.ts';
import { failingAlertAt } from '../../domain/webhooks/endpoint-health.ts';
import type { Database, Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';
import { insertEndpointEvent, type LoadedEndpoint } from './endpoints.ts';

export type DeliveryStatus = TableRow<'webhook_deliveries'>['status'];

export interface DeliveryKey {
  eventId: string;
  endpointId: string;
}

export interface LoadedDelivery extends LoadedEndpoint {
  status: DeliveryStatus;
  attempts: number;
  generation: number;
  nextAttemptAt: Date | null;
  failureReason: string | null;
  eventType: string;
  body: string;
  traceparent: string | null;
  enabled: boolean;
  isClientActive: boolean;
  failingSince: Date | null;
  lastFailureAt: Date | null;
  statusCode: number | null;
  error: string | null;
}

const LOAD_DELIVERIES = statement<
  { eventIds: string[]; endpointIds: string[] },
  LoadedDelivery & DeliveryKey
>('load_deliveries')`
select d.event_id as "eventId", d.endpoint_id as "endpointId",
  d.status, d.attempts, d.generation, d.next_attempt_at as "nextAttemptAt", d.failure_reason as "failureReason",
  e.type as "eventType", e.body, e.traceparent,
  p.url, p.allow_http as "allowHttp", p.enabled, c.active as "isClientActive",
  p.secret_sealed as "secretSealed", p.previous_secret_sealed as "previousSecretSealed",
  p.previous_secret_until as "previousSecretUntil",
  p.failing_since as "failingSince", p.last_failure_at as "lastFailureAt",
  a.status_code as "statusCode", a.error
from unnest(:eventIds::text[], :endpointIds::uuid[]) as wanted (event_id, endpoint_id)
join webhook_deliveries d using (event_id, endpoint_id)
join webhook_events e on e.id = d.event_id
join webhook_endpoints p on p.id = d.endpoint_id
join oauth_clients c on c.id = p.client_id
left join lateral (
  select status_code, error from webhook_attempts t
  where t.event_id = d.event_id and t.endpoint_id = d.endpoint_id and d.attempts > 0
  order by t.at desc, t.id desc limit 1) a on true`;

export async function loadDeliveries(sql: Sql, keys: readonly DeliveryKey[]) {
  const rows = await sql.all(LOAD_DELIVERIES, {
    eventIds: keys.map(({ eventId }) => eventId),
    endpointIds: keys.map(({ endpointId }) => endpointId),
  });
  const found = new Map(rows.map((row) => [keyText(row), row]));
  return keys.map((key) => found.get(keyText(key)) ?? null);
}

function keyText({ eventId, endpointId }: DeliveryKey): string {
  return `${eventId}/${endpointId}`;
}

export interface AttemptRow extends DeliveryKey {
  generation: number;
  at: Date;
  statusCode: number | null;
  latencyMs: number;
  error: string | null;
  responseHead: string | null;
}

export interface AfterFailure {
  url: string;
  /** The number of recorded attempts when this one began. */
  attemptsBefore: number;
  status: 'pending' | 'failed';
  nextAttemptAt: Date | null;
  failureReason: string | null;
  failingSince: Date;
  switchOff: string | null;
  /** Unless another attempt sent it meanwhile. */
  alert: EndpointEvent | null;
}

/**
 * A response may quote the customer, so an erased lead has none. An erasure writes the deliveries first: their locked
 * rows show one that this snapshot does not.
 */
const TARGET_COLUMNS = 'd.event_id, d.endpoint_id, d.is_erased, d.lead_id';
const keptHead = (eventId: string, endpointId: string, head: string) => `(
  select ${head} from target t join leads l on l.id = t.lead_id
  where t.event_id = ${eventId} and t.endpoint_id = ${endpointId} and not t.is_erased and l.erased_at is null)`;

/** An endpoint that succeeded meanwhile is not disabled. */
const SWITCHES_OFF = `(:switchOff::text is not null and (:statusCode::int is not distinct from 410
  or coalesce(date_trunc('milliseconds', before.failing_since) <= :failingSince, false)))`;

/**
 * Locks the endpoint first, as all its writers do. Only stores the attempt if the delivery or the URL changed meanwhile,
 * or the endpoint to be disabled succeeded: a worker that was frozen reports late.
 */
const RECORD_FAILURE = statement<FailureColumns, RecordedFailure>('record_failure')`
with before as (
  select id, url, enabled, failing_since, last_failure_at from webhook_endpoints
  where id = :endpointId for no key update),
target as materialized (
  select ${TARGET_COLUMNS} from webhook_deliveries d
  where d.event_id = :eventId and d.endpoint_id = (select id from before) for no key update),
attempt as (
  insert into webhook_attempts (event_id, endpoint_id, at, status_code, latency_ms, error, response_head)
  select event_id, endpoint_id, :at::timestamptz, :statusCode::int, :latencyMs::int, :error::text,
    ${keptHead(':eventId', ':endpointId', ':responseHead::text')} from target),
delivery as (
  update webhook_deliveries d
  set attempts = d.attempts + 1, status = :status, next_attempt_at = :nextAttemptAt,
    failure_reason = :failureReason, finished_at = :finishedAt
  from target t, before
  where (d.event_id, d.endpoint_id) = (t.event_id, t.endpoint_id) and d.generation = :generation
    and d.status = 'pending' and d.attempts = :attemptsBefore and before.url = :url
    and (:switchOff::text is null or ${SWITCHES_OFF})
  returning before.*)
update webhook_endpoints p
set failing_since = greatest(coalesce(before.failing_since, :at), :failingSince::timestamptz),
  last_failure_at = greatest(before.last_failure_at, :at),
  enabled = before.enabled and not ${SWITCHES_OFF},
  disabled_reason = case when before.enabled and ${SWITCHES_OFF} then :switchOff else p.disabled_reason end
from delivery before where p.id = before.id
returning before.enabled and not p.enabled as "isSwitchedOff",
  p.enabled and before.last_failure_at < :alertAt::timestamptz as "isFirstSinceAlertAt"`;

type FailureColumns = AttemptRow &
  Omit<AfterFailure, 'alert'> & { finishedAt: Date | null; alertAt: Date };

interface RecordedFailure {
  isSwitchedOff: boolean;
  /** Null if the endpoint succeeded meanwhile. */
  isFirstSinceAlertAt: boolean | null;
}

/** All or nothing. False if the delivery does not change. */
export async function recordFailure(
  database: Database,
  attempt: AttemptRow,
  { alert, ...after }: AfterFailure,
): Promise<boolean> {
  const finishedAt = after.status === 'pending' ? null : attempt.at;
  const alertAt = failingAlertAt(after.failingSince);
  const values = { ...attempt, ...after, finishedAt, alertAt };
  const record = (sql: Sql) => sql.first(RECORD_FAILURE, values);
  if (!alert) return (await record(database)) !== null;
  return database.transaction(async (sql) => {
    const recorded = await record(sql);
    const news = alert.type === 'endpoint.disabled' ? 'isSwitchedOff' : 'isFirstSinceAlertAt';
    if (recorded?.[news]) await insertEndpointEvent(sql, attempt.endpointId, alert);
    return recorded !== null;
  });
}

/** Skips healthy endpoints, for whose row deliveries would queue. Locks in the order of an erasure. */
const RECORD_DELIVERED = statement<{ attempts: string }, DeliveryKey>('record_delivered')`
with made as materialized (
  select * from jsonb_to_recordset(:attempts::jsonb) as r ("eventId" text, "endpointId" uuid, generation int,
    at timestamptz, "statusCode" int, "latencyMs" int, "responseHead" text)),
target as materialized (
  select ${TARGET_COLUMNS} from webhook_deliveries d
  join made on d.event_id = made."eventId" and d.endpoint_id = made."endpointId"
  order by d.event_id, d.endpoint_id for no key update of d),
attempts as (
  insert into webhook_attempts (event_id, endpoint_id, at, status_code, latency_ms, response_head)
  select "eventId", "endpointId", at, "statusCode", "latencyMs",
    ${keptHead('"eventId"', '"endpointId"', '"responseHead"')}
  from made join target d on d.event_id = made."eventId" and d.endpoint_id = made."endpointId"),
endpoints as (
  update webhook_endpoints p set failing_since = null, last_failure_at = null
  where p.id in (select "endpointId" from made) and p.failing_since is not null)
update webhook_deliveries d
set attempts = attempts + 1, status = 'delivered', next_attempt_at = null, failure_reason = null,
  finished_at = made.at
from made join target t on t.event_id = made."eventId" and t.endpoint_id = made."endpointId"
where (d.event_id, d.endpoint_id) = (t.event_id, t.endpoint_id) and d.generation = made.generation
  and d.status <> 'delivered'
returning d.event_id as "eventId", d.endpoint_id as "endpointId"`;

/** Many attempts in one statement, with one result each. */
export async function recordDelivered(sql: Sql, attempts: readonly AttemptRow[]) {
  const rows = await sql.all(RECORD_DELIVERED, { attempts: JSON.stringify(attempts) });
  const recorded = new Set(rows.map(keyText));
  return attempts.map((attempt) => recorded.has(keyText(attempt)));
}

type Generation = Pick<AttemptRow, 'eventId' | 'endpointId' | 'generation'>;

const OPEN_GENERATION = `event_id = :eventId and endpoint_id = :endpointId
  and generation = :generation and status = 'pending'`;

/** False if the endpoint was enabled or the delivery made due again meanwhile. */
export async function failDelivery(sql: Sql, delivery: Generation, reason: string, now: Date) {
  return (await sql.first(FAIL_DELIVERY, { ...delivery, reason, now })) !== null;
}

const FAIL_DELIVERY = statement<Generation & { reason: string; now: Date }, { event_id: string }>(
  'fail_delivery',
)`
with switched_off as (select from webhook_endpoints where id = :endpointId and not enabled for share)
update webhook_deliveries
set status = 'failed', next_attempt_at = null, failure_reason = :reason, finished_at = :now
from switched_off where ${OPEN_GENERATION} returning event_id`;

/** False if the client is active, or the delivery was made due again meanwhile. */
export async function holdDelivery(sql: Sql, delivery: Generation): Promise<boolean> {
  return (await sql.first(HOLD_DELIVERY, delivery)) !== null;
}

const HOLD_DELIVERY = statement<Generation, { event_id: string }>('hold_delivery')`
with inactive as (
  select from oauth_clients
  where id = (select client_id from webhook_endpoints where id = :endpointId) and not active for share)
update webhook_deliveries set status = 'held', next_attempt_at = null
from inactive where ${OPEN_GENERATION} returning event_id`;

/** The reconciler skips a delivery that waits for its request slot. */
export async function postponeDelivery(
  sql: Sql,
  delivery: Generation & { attempts: number },
  until: Date,
): Promise<void> {
  await sql.all(POSTPONE_DELIVERY, { ...delivery, until });
}

const POSTPONE_DELIVERY = statement<Generation & { attempts: number; until: Date }>(
  'postpone_delivery',
)`
update webhook_deliveries set next_attempt_at = :until where ${OPEN_GENERATION} and attempts = :attempts`;
