import type { Selectable } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { Tables } from '../tables/index.ts';
import type { LoadedEndpoint } from './endpoints.ts';

export type DeliveryStatus = Selectable<Tables['webhook_deliveries']>['status'];

export interface DeliveryKey {
  eventId: string;
  endpointId: string;
}

/** All that an attempt needs to know. */
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
  /** Of the last attempt; null before the first one. */
  statusCode: number | null;
  error: string | null;
}

const LOAD_DELIVERIES_SQL = `
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

/** Each with its event, its endpoint and how its last attempt ended; null for one that is not there. */
export async function loadDeliveries(
  sql: Sql,
  keys: readonly DeliveryKey[],
): Promise<(LoadedDelivery | null)[]> {
  const rows = await sql.query<LoadedDelivery & DeliveryKey>(LOAD_DELIVERIES_SQL, {
    eventIds: keys.map(({ eventId }) => eventId),
    endpointIds: keys.map(({ endpointId }) => endpointId),
  });
  const found = new Map(rows.map((row) => [keyText(row), row]));
  return keys.map((key) => found.get(keyText(key)) ?? null);
}

export function keyText({ eventId, endpointId }: DeliveryKey): string {
  return `${eventId}/${endpointId}`;
}
