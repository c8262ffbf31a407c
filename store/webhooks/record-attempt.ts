import type { Sql } from '../db/database.ts';
import { keyText } from './load-delivery.ts';
import type { DeliveryStatus } from './load-delivery.ts';

export interface AttemptRow {
  eventId: string;
  endpointId: string;
  generation: number;
  at: Date;
  statusCode: number | null;
  latencyMs: number;
  error: string | null;
  responseHead: string | null;
}

/** The delivery and its endpoint after an attempt that did not arrive. */
export interface AfterFailure {
  status: Exclude<DeliveryStatus, 'delivered'>;
  nextAttemptAt: Date | null;
  failureReason: string | null;
  failingSince: Date;
  switchOff: string | null;
}

const SWITCHES_OFF = `($13::text is not null and ($4 is not distinct from 410 or failing_since is not null))`;

/** What another attempt found out meanwhile counts: an endpoint that answered well since is not switched off. */
const RECORD_FAILURE = `
  with attempt as (
    insert into webhook_attempts (event_id, endpoint_id, at, status_code, latency_ms, error, response_head)
    values ($1, $2, $3::timestamptz, $4::int, $5, $6, $7)),
  endpoint as (
    update webhook_endpoints
    set failing_since = greatest(coalesce(failing_since, $3), $12),
      last_failure_at = $3,
      enabled = enabled and not ${SWITCHES_OFF},
      disabled_reason = case when enabled and ${SWITCHES_OFF} then $13 else disabled_reason end
    where id = $2)
  update webhook_deliveries
  set attempts = attempts + 1, status = $8, next_attempt_at = $9, failure_reason = $10, finished_at = $11
  where event_id = $1 and endpoint_id = $2 and generation = $14 returning event_id`;

/**
 * Keeps an attempt that did not arrive and what follows from it, in one statement. False where the delivery
 * was made due again meanwhile: the attempt is kept, the delivery is left to the newer generation.
 */
export async function recordFailure(
  sql: Sql,
  attempt: AttemptRow,
  after: AfterFailure,
): Promise<boolean> {
  const { eventId, endpointId, generation, at, statusCode, latencyMs, error, responseHead } =
    attempt;
  const { status, nextAttemptAt, failureReason, failingSince, switchOff } = after;
  const finishedAt = status === 'pending' ? null : at;
  const recorded = await sql.query(RECORD_FAILURE, [
    ...[eventId, endpointId, at, statusCode, latencyMs, error, responseHead],
    ...[status, nextAttemptAt, failureReason, finishedAt, failingSince, switchOff, generation],
  ]);
  return recorded.length > 0;
}

/** A healthy endpoint is not written, so that its deliveries do not queue for its row. */
const RECORD_DELIVERED = `
  with made as (
    select * from jsonb_to_recordset($1::jsonb) as r ("eventId" text, "endpointId" uuid, generation int,
      at timestamptz, "statusCode" int, "latencyMs" int, "responseHead" text)),
  attempts as (
    insert into webhook_attempts (event_id, endpoint_id, at, status_code, latency_ms, response_head)
    select "eventId", "endpointId", at, "statusCode", "latencyMs", "responseHead" from made),
  endpoints as (
    update webhook_endpoints p set failing_since = null, last_failure_at = null
    where p.id in (select "endpointId" from made) and p.failing_since is not null)
  update webhook_deliveries d
  set attempts = attempts + 1, status = 'delivered', next_attempt_at = null, failure_reason = null,
    finished_at = made.at
  from made where d.event_id = made."eventId" and d.endpoint_id = made."endpointId"
    and d.generation = made.generation
  returning d.event_id as "eventId", d.endpoint_id as "endpointId"`;

/** The same for attempts that arrived, many in one statement; one answer each. */
export async function recordDelivered(
  sql: Sql,
  attempts: readonly AttemptRow[],
): Promise<boolean[]> {
  const rows = await sql.query<{ eventId: string; endpointId: string }>(RECORD_DELIVERED, [
    JSON.stringify(attempts),
  ]);
  const recorded = new Set(rows.map(keyText));
  return attempts.map((attempt) => recorded.has(keyText(attempt)));
}
