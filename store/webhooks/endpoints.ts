import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { buildEndpointEvent, type EventType } from '../../domain/webhooks/event-payloads.ts';
import type { Database, Sql } from '../db/database.ts';
import { OAuthClient } from '../tables/clients.ts';
import { WebhookEndpoint } from '../tables/webhooks.ts';
import { insertEndpointEvent } from './endpoint-events.ts';

export interface NewEndpoint {
  id: string;
  /** The public client id. */
  clientId: string;
  url: string;
  events: string[];
  secretSealed: Buffer;
  allowHttp: boolean;
}

/** False when there is no such client. */
export async function insertEndpoint(
  em: EntityManager,
  { clientId, ...endpoint }: NewEndpoint,
  now: Date,
): Promise<boolean> {
  const client = await em.findOne(OAuthClient, { clientId });
  if (!client) return false;
  em.create(WebhookEndpoint, { ...endpoint, client, createdAt: now });
  await em.flush();
  return true;
}

/** Whether an endpoint of the client gets events of one of the types. */
export async function hasEndpointFor(sql: Sql, clientId: string, types: readonly EventType[]) {
  const text = `select from webhook_endpoints
    where client_id = :clientId and enabled and events && :types::text[] limit 1`;
  return (await sql.query(text, { clientId, types })).length > 0;
}

/** What is needed to call an endpoint. */
export type LoadedEndpoint = NonNullable<Awaited<ReturnType<typeof loadEndpoint>>>;

export async function loadEndpoint({ tables, run }: Sql, endpointId: string) {
  const [endpoint] = await run(
    tables
      .selectFrom('webhook_endpoints')
      .where('id', '=', endpointId)
      .select([
        'url',
        'allow_http as allowHttp',
        'secret_sealed as secretSealed',
        'previous_secret_sealed as previousSecretSealed',
        'previous_secret_until as previousSecretUntil',
      ]),
  );
  return endpoint ?? null;
}

/**
 * Until `previousUntil` calls are signed with both secrets. Returns until when a secret would have signed that
 * gave way to the previous one; null when there is no such endpoint.
 */
export async function rotateSecret(
  em: EntityManager,
  endpointId: string,
  secretSealed: Buffer,
  previousUntil: Date,
): Promise<{ formerUntil: Date | null } | null> {
  const endpoint = await em.findOne(WebhookEndpoint, endpointId, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
  });
  if (!endpoint) return null;
  const formerUntil = endpoint.previousSecretUntil ?? null;
  endpoint.previousSecretSealed = endpoint.secretSealed;
  endpoint.previousSecretUntil = previousUntil;
  endpoint.secretSealed = secretSealed;
  await em.flush();
  return { formerUntil };
}

/** Secret, history and what waits stay; the new address has not failed yet. False when there is no such endpoint. */
export async function setEndpointUrl(
  sql: Sql,
  endpoint: { endpointId: string; url: string; allowHttp: boolean },
): Promise<boolean> {
  const text = `update webhook_endpoints set url = :url, allow_http = :allowHttp, failing_since = null, last_failure_at = null
    where id = :endpointId returning id`;
  return (await sql.queryOne(text, endpoint)) !== null;
}

const ENABLE_ENDPOINT_SQL = `
with before as (select id, enabled from webhook_endpoints where id = :endpointId for no key update),
changed as (
  update webhook_endpoints p
  set enabled = true, disabled_reason = null, failing_since = null, last_failure_at = null
  from before where p.id = before.id),
due as (
  update webhook_deliveries d set next_attempt_at = null, generation = generation + 1
  from before where d.endpoint_id = before.id and not before.enabled and d.status = 'pending'
    and d.next_attempt_at > :now
  returning d.lead_id),
signalled as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select distinct lead_id, 'endpoint_enabled', :now::timestamptz, :now from due)
select (select count(*)::int from due) as due from before`;

/**
 * An enabled endpoint starts without a record of failures, and pending deliveries that waited for their next
 * attempt are due now: returns how many those are. A call that is open meanwhile counts. Null when there is no
 * such endpoint.
 */
export async function enableEndpoint(sql: Sql, endpointId: string, now: Date) {
  const enabled = await sql.queryOne<{ due: number }>(ENABLE_ENDPOINT_SQL, { endpointId, now });
  return enabled?.due ?? null;
}

/** Tells the client's other endpoints too. False when there is no such endpoint. */
export function disableEndpoint(
  database: Database,
  {
    endpointId,
    reason,
    eventId,
    now,
  }: Record<'endpointId' | 'reason' | 'eventId', string> & { now: Date },
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const before = await sql.queryOne<{ url: string; enabled: boolean; failingSince: Date | null }>(
      `select url, enabled, failing_since as "failingSince" from webhook_endpoints where id = :endpointId for no key update`,
      { endpointId },
    );
    if (!before) return false;
    await sql.query(
      'update webhook_endpoints set enabled = false, disabled_reason = :reason where id = :endpointId',
      { endpointId, reason },
    );
    if (!before.enabled) return true;
    const event = buildEndpointEvent(
      'endpoint.disabled',
      { id: eventId, at: now },
      {
        ...{ endpointId, url: before.url, reason: 'by_operator' },
        failingSince: before.failingSince?.toISOString() ?? null,
      },
    );
    await insertEndpointEvent(sql, endpointId, event);
    return true;
  });
}
