import type { Sql } from '../db/database.ts';

export interface NewEndpoint {
  id: string;
  /** The public client id. */
  clientId: string;
  url: string;
  events: readonly string[];
  secretSealed: Buffer;
  allowHttp: boolean;
}

export interface EndpointView {
  endpointId: string;
  clientId: string;
  url: string;
  events: string[];
  enabled: boolean;
  disabledReason: string | null;
  failingSince: Date | null;
  previousSecretUntil: Date | null;
  createdAt: Date;
}

/** False when there is no such client. */
export async function insertEndpoint(sql: Sql, endpoint: NewEndpoint, now: Date): Promise<boolean> {
  const { id, clientId, url, events, secretSealed, allowHttp } = endpoint;
  const rows = await sql.query(
    `insert into webhook_endpoints (id, client_id, url, events, secret_sealed, allow_http, created_at)
     select $1, id, $3, $4, $5, $6, $7 from oauth_clients where client_id = $2 returning id`,
    [id, clientId, url, events, secretSealed, allowHttp, now],
  );
  return rows.length > 0;
}

const VIEW = `
  select p.id as "endpointId", c.client_id as "clientId", p.url, p.events, p.enabled,
    p.disabled_reason as "disabledReason", p.failing_since as "failingSince",
    p.previous_secret_until as "previousSecretUntil", p.created_at as "createdAt"
  from webhook_endpoints p join oauth_clients c on c.id = p.client_id`;

export async function listEndpoints(sql: Sql, clientId: string | null): Promise<EndpointView[]> {
  return sql.query<EndpointView & Record<string, unknown>>(
    `${VIEW} where $1::text is null or c.client_id = $1 order by p.created_at, p.id`,
    [clientId],
  );
}

/** `formerUntil`: until when a secret would have signed that gave way to the previous one; null: none did. */
export interface Rotated {
  formerUntil: Date | null;
}

/** Until `previousUntil` calls are signed with both secrets. Null when there is no such endpoint. */
export async function rotateSecret(
  sql: Sql,
  endpointId: string,
  secretSealed: Buffer,
  previousUntil: Date,
): Promise<Rotated | null> {
  const [rotated] = await sql.query<Rotated & Record<string, unknown>>(
    `update webhook_endpoints p
     set previous_secret_sealed = p.secret_sealed, previous_secret_until = $3, secret_sealed = $2
     from (select id, previous_secret_until from webhook_endpoints where id = $1 for update) before
     where p.id = before.id returning before.previous_secret_until as "formerUntil"`,
    [endpointId, secretSealed, previousUntil],
  );
  return rotated ?? null;
}

const ENABLE = `
  with before as (select id, enabled from webhook_endpoints where id = $1 for update),
  changed as (
    update webhook_endpoints p
    set enabled = true, disabled_reason = null, failing_since = null, last_failure_at = null
    from before where p.id = before.id),
  due as (
    update webhook_deliveries d set next_attempt_at = null, generation = generation + 1
    from before where d.endpoint_id = before.id and not before.enabled and d.status = 'pending'
    returning d.lead_id),
  announced as (
    insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
    select distinct lead_id, 'endpoint_enabled', $2::timestamptz, $2 from due)
  select (select count(*)::int from due) as due from before`;

/**
 * Switched on again an endpoint starts with a clean slate, and what still waited for its next attempt is due
 * now: returns how many deliveries that are. Null when there is no such endpoint.
 */
export async function enableEndpoint(
  sql: Sql,
  endpointId: string,
  now: Date,
): Promise<number | null> {
  const [enabled] = await sql.query<{ due: number }>(ENABLE, [endpointId, now]);
  return enabled?.due ?? null;
}

export async function disableEndpoint(
  sql: Sql,
  endpointId: string,
  reason: string,
): Promise<boolean> {
  const rows = await sql.query(
    `update webhook_endpoints set enabled = false, disabled_reason = $2 where id = $1 returning id`,
    [endpointId, reason],
  );
  return rows.length > 0;
}
