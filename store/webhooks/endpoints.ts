import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  buildEndpointEvent,
  endpointEventTypes,
  type EndpointEvent,
  type EventType,
} from '../../domain/webhooks/event-payloads.ts';
import { canOpenSecret } from '../../domain/webhooks/secret.ts';
import { ConfigurationError } from '../../platform/config.ts';
import type { Database, Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';
import { OAuthClient } from '../tables/clients.ts';
import { WebhookEndpoint } from '../tables/webhooks.ts';

interface NewEndpoint {
  id: string;
  clientId: string;
  url: string;
  events: string[];
  secretSealed: Buffer;
  allowHttp: boolean;
}

/** False if the client does not exist. */
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

export async function hasEndpointFor(sql: Sql, clientId: string, types: readonly EventType[]) {
  return (await sql.first(FIND_ENDPOINT_FOR, { clientId, types })) !== null;
}

const FIND_ENDPOINT_FOR = statement<
  { clientId: string; types: readonly EventType[] },
  { id: string }
>('find_endpoint_for')`
select id from webhook_endpoints where client_id = :clientId and enabled and events && :types::text[] limit 1`;

export interface LoadedEndpoint {
  url: string;
  allowHttp: boolean;
  secretSealed: Buffer;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
}

export function loadEndpoint(sql: Sql, endpointId: string): Promise<LoadedEndpoint | null> {
  return sql.first(LOAD_ENDPOINT, { endpointId });
}

const LOAD_ENDPOINT = statement<{ endpointId: string }, LoadedEndpoint>('load_endpoint')`
select url, allow_http as "allowHttp", secret_sealed as "secretSealed",
  previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil"
from webhook_endpoints where id = :endpointId`;

export function findEndpointsBeginning(sql: Sql, beginning: string) {
  return sql.all(FIND_ENDPOINTS_BEGINNING, { beginning });
}

const FIND_ENDPOINTS_BEGINNING = statement<
  { beginning: string },
  { endpointId: string; url: string }
>('find_endpoints_beginning')`
select id as "endpointId", url from webhook_endpoints where starts_with(id::text, :beginning) order by id`;

/** Accepts a key that opens some secrets: after the loss of a key, secrets are replaced one by one. */
export async function checkSecretsKey(sql: Sql, key: Buffer): Promise<void> {
  const stored = await sql.all(READ_SEALED_SECRETS, {});
  if (stored.length === 0 || stored.some(({ sealed }) => canOpenSecret(sealed, key))) return;
  throw new ConfigurationError('This SECRETS_KEY does not read the secrets in this database.');
}

const READ_SEALED_SECRETS = statement<NoParams, { sealed: Buffer }>('read_sealed_secrets')`
select secret_sealed as sealed from webhook_endpoints`;

/** Both secrets sign until `previousUntil`. Returns when an older secret that this replaces would have ended. */
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

/** Keeps secret, history and open deliveries, and clears failures. False if the endpoint does not exist. */
export async function setEndpointUrl(sql: Sql, endpoint: EndpointUrl): Promise<boolean> {
  return (await sql.first(SET_ENDPOINT_URL, endpoint)) !== null;
}

type EndpointUrl = Pick<NewEndpoint, 'url' | 'allowHttp'> & { endpointId: string };

const SET_ENDPOINT_URL = statement<EndpointUrl, { id: string }>('set_endpoint_url')`
update webhook_endpoints
set url = :url, allow_http = :allowHttp, failing_since = null, last_failure_at = null
where id = :endpointId returning id`;

const ENABLE_ENDPOINT = statement<
  { endpointId: string; now: Date },
  { wasEnabled: boolean; due: number }
>('enable_endpoint')`
with before as (select id, enabled from webhook_endpoints where id = :endpointId for no key update),
changed as (
  update webhook_endpoints p
  set enabled = true, disabled_reason = null, failing_since = null, last_failure_at = null
  from before where p.id = before.id),
due as (
  update webhook_deliveries d set next_attempt_at = null, generation = generation + 1
  from before where d.endpoint_id = before.id and d.status = 'pending' and d.next_attempt_at > :now
  returning d.lead_id),
signalled as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select distinct lead_id, 'endpoint_enabled', :now::timestamptz, :now from due)
select enabled as "wasEnabled", (select count(*)::int from due) as due from before`;

/** Clears failures and makes pending deliveries due; returns their number. A call in progress counts. */
export function enableEndpoint(sql: Sql, endpointId: string, now: Date) {
  return sql.first(ENABLE_ENDPOINT, { endpointId, now });
}

/** Null if no endpoint subscribed to the event, or the event was removed. */
export async function findDisabledAt(sql: Sql, endpointId: string): Promise<Date | null> {
  return (await sql.first(FIND_DISABLED_AT, { endpointId }))?.at ?? null;
}

const FIND_DISABLED_AT = statement<{ endpointId: string }, { at: Date }>('find_disabled_at')`
select e.created_at as at from webhook_events e
  join webhook_endpoints p on p.client_id = e.client_id
where p.id = :endpointId and e.type = 'endpoint.disabled'
  and e.body::jsonb -> 'data' ->> 'endpointId' = p.id::text
order by e.created_at desc limit 1`;

/** Notifies the client's other endpoints. A disabled endpoint keeps its reason. False if it does not exist. */
export function disableEndpoint(
  database: Database,
  disabling: Record<'endpointId' | 'reason' | 'eventId', string> & { now: Date },
): Promise<boolean> {
  const { endpointId, reason, eventId, now } = disabling;
  return database.transaction(async (sql) => {
    const before = await sql.first(LOCK_ENDPOINT, { endpointId });
    if (!before) return false;
    if (!before.enabled) return true;
    await sql.all(DISABLE_ENDPOINT, { endpointId, reason });
    const failingSince = before.failingSince?.toISOString() ?? null;
    const data = { endpointId, url: before.url, reason: 'by_operator', failingSince } as const;
    const event = buildEndpointEvent('endpoint.disabled', { id: eventId, at: now }, data);
    await insertEndpointEvent(sql, endpointId, event);
    return true;
  });
}

type EndpointState = Pick<EndpointOverview, 'url' | 'enabled' | 'failingSince'>;

const LOCK_ENDPOINT = statement<{ endpointId: string }, EndpointState>('lock_endpoint')`
select url, enabled, failing_since as "failingSince" from webhook_endpoints
where id = :endpointId for no key update`;

const DISABLE_ENDPOINT = statement<{ endpointId: string; reason: string }>('disable_endpoint')`
update webhook_endpoints set enabled = false, disabled_reason = :reason where id = :endpointId`;

/** Deliveries are activities of a lead's run, here the lead of the endpoint's newest delivery. */
const INSERT_ENDPOINT_EVENT = statement<EndpointEvent & { endpointId: string }>(
  'insert_endpoint_event',
)`
with event as (
  insert into webhook_events (id, lead_id, client_id, type, body, created_at)
  select :id, newest.lead_id, p.client_id, :type, :body, :at
  from webhook_endpoints p cross join lateral (
    select lead_id from webhook_deliveries where endpoint_id = p.id order by created_at desc limit 1) newest
  where p.id = :endpointId
  returning id, lead_id, client_id, type, created_at),
deliveries as (
  insert into webhook_deliveries (event_id, endpoint_id, lead_id, created_at)
  select e.id, p.id, e.lead_id, e.created_at
  from event e join webhook_endpoints p on p.client_id = e.client_id
  where p.enabled and e.type = any (p.events) and p.id <> :endpointId
  returning lead_id, created_at)
insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
select distinct lead_id, 'endpoint_alert', created_at, created_at from deliveries`;

/** No event if the endpoint never had a delivery. */
export async function insertEndpointEvent(sql: Sql, endpointId: string, event: EndpointEvent) {
  await sql.all(INSERT_ENDPOINT_EVENT, { ...event, endpointId });
}

export interface EndpointOverview {
  endpointId: string;
  clientId: string;
  client: string;
  isClientActive: boolean;
  url: string;
  events: string[];
  enabled: boolean;
  disabledReason: string | null;
  failingSince: Date | null;
  lastFailureAt: Date | null;
  previousSecretUntil: Date | null;
  createdAt: Date;
  lastDay: LastDay;
  waiting: number;
  nextAttemptAt: Date | null;
  /** Endpoints of the client that are notified if this one fails or is disabled. */
  alerts: string[];
}

interface LastDay {
  calls: number;
  /** 0 to 1. */
  successRate: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
  failed: number;
}

interface EndpointFilter {
  clientId: string | null;
  endpointId: string | null;
}

const DAY_MS = 24 * 3_600_000;

export function listEndpoints(sql: Sql, filter: EndpointFilter, now: Date) {
  const since = new Date(now.getTime() - DAY_MS);
  return sql.all(LIST_ENDPOINTS, { ...filter, since, endpointEventTypes });
}

const LIST_ENDPOINTS = statement<
  EndpointFilter & { since: Date; endpointEventTypes: readonly EventType[] },
  EndpointOverview
>('list_endpoints')`
with calls as (
  select endpoint_id, count(*) as calls,
    avg(case when status_code between 200 and 299 then 1 else 0 end)::float8 as success_rate,
    percentile_disc(0.5) within group (order by latency_ms) as p50,
    percentile_disc(0.99) within group (order by latency_ms) as p99
  from webhook_attempts where at >= :since::timestamptz group by endpoint_id),
failed as (
  select endpoint_id, count(*) as failed
  from webhook_deliveries where status = 'failed' and finished_at >= :since group by endpoint_id),
waiting as (
  select endpoint_id, sum(waiting)::int as waiting, min(next_attempt_at) as next_attempt_at from (
    select endpoint_id, count(*) as waiting, min(coalesce(next_attempt_at, created_at)) as next_attempt_at
    from webhook_deliveries where status = 'pending' group by endpoint_id
    union all
    select endpoint_id, count(*), null from webhook_deliveries where status = 'held' group by endpoint_id) open
  group by endpoint_id)
select p.id as "endpointId", c.client_id as "clientId", c.name as client, c.active as "isClientActive",
  p.url, p.events, p.enabled,
  p.disabled_reason as "disabledReason", p.failing_since as "failingSince", p.last_failure_at as "lastFailureAt",
  p.previous_secret_until as "previousSecretUntil", p.created_at as "createdAt",
  json_build_object('calls', coalesce(calls, 0), 'successRate', success_rate, 'p50Ms', p50, 'p99Ms', p99,
    'failed', coalesce(failed, 0)) as "lastDay",
  coalesce(waiting, 0) as waiting, next_attempt_at as "nextAttemptAt",
  array (select a.url from webhook_endpoints a
    where a.client_id = p.client_id and a.id <> p.id and a.enabled
      and a.events && :endpointEventTypes::text[] order by a.created_at, a.id) as alerts
from webhook_endpoints p
join oauth_clients c on c.id = p.client_id
left join calls on calls.endpoint_id = p.id
left join failed on failed.endpoint_id = p.id
left join waiting on waiting.endpoint_id = p.id
where (:clientId::text is null or c.client_id = :clientId) and (:endpointId::uuid is null or p.id = :endpointId)
order by p.created_at, p.id`;
