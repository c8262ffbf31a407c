import type { Sql } from '../database.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface DeliveryKey {
  eventId: string;
  endpointId: string;
}

/** All that an attempt needs to know. */
export interface LoadedDelivery {
  status: DeliveryStatus;
  attempts: number;
  generation: number;
  nextAttemptAt: Date | null;
  failureReason: string | null;
  eventType: string;
  body: string;
  url: string;
  allowHttp: boolean;
  enabled: boolean;
  disabledReason: string | null;
  secretSealed: Buffer;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
  failingSince: Date | null;
  lastFailureAt: Date | null;
  /** Of the last attempt; null before the first one. */
  statusCode: number | null;
  error: string | null;
}

const LOAD = `
  select d.status, d.attempts, d.generation, d.next_attempt_at as "nextAttemptAt", d.failure_reason as "failureReason",
    e.type as "eventType", e.body,
    p.url, p.allow_http as "allowHttp", p.enabled, p.disabled_reason as "disabledReason",
    p.secret_sealed as "secretSealed", p.previous_secret_sealed as "previousSecretSealed",
    p.previous_secret_until as "previousSecretUntil",
    p.failing_since as "failingSince", p.last_failure_at as "lastFailureAt",
    a.status_code as "statusCode", a.error
  from webhook_deliveries d
  join webhook_events e on e.id = d.event_id
  join webhook_endpoints p on p.id = d.endpoint_id
  left join lateral (
    select status_code, error from webhook_attempts
    where event_id = $1 and endpoint_id = $2 and d.attempts > 0 order by at desc, id desc limit 1) a on true
  where d.event_id = $1 and d.endpoint_id = $2`;

/** The delivery with its event, its endpoint and how its last attempt ended. */
export async function loadDelivery(
  sql: Sql,
  { eventId, endpointId }: DeliveryKey,
): Promise<LoadedDelivery | null> {
  const [row] = await sql.query<LoadedDelivery & Record<string, unknown>>(LOAD, [
    eventId,
    endpointId,
  ]);
  return row ?? null;
}
