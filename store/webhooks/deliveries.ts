import { eventTypes, leadEventTypes } from '../../domain/webhooks/event-payloads.ts';
import type { Sql } from '../db/database.ts';
import type { AttemptRow, DeliveryKey, DeliveryStatus } from './attempts.ts';
import { countPage, countSql } from '../db/page.ts';
import { statement, statementVariants, utcText } from '../db/statement.ts';

export interface DeliveryFilter {
  endpointId: string | null;
  leadId: string | null;
  event: string | null;
  status: DeliveryStatus | null;
  since: Date | null;
  limit: number;
}

export type TryView = Omit<AttemptRow, keyof DeliveryKey | 'generation' | 'at'> & { at: string };

export interface DeliveryView extends DeliveryKey {
  eventType: string;
  leadId: string;
  url: string;
  status: DeliveryStatus;
  nextAttemptAt: Date | null;
  failureReason: string | null;
  createdAt: Date;
  finishedAt: Date | null;
  tries: TryView[];
}

const ATTEMPTS_SQL = `
  select coalesce(json_agg(json_build_object(
    'at', ${utcText('a.at')}, 'statusCode', a.status_code,
    'latencyMs', a.latency_ms, 'error', a.error, 'responseHead', a.response_head) order by a.at, a.id), '[]')
  from webhook_attempts a where a.event_id = d.event_id and a.endpoint_id = d.endpoint_id`;

const NEWEST_FIRST = 'order by d.created_at desc, d.event_id desc, d.endpoint_id';

/** Selected before the joins, because a list reads a few of years of deliveries. */
const listSql = (chosen: string) => `
  select d.event_id as "eventId", d.endpoint_id as "endpointId", e.type as "eventType",
    d.lead_id as "leadId", p.url, d.status, d.next_attempt_at as "nextAttemptAt",
    d.failure_reason as "failureReason", d.created_at as "createdAt", d.finished_at as "finishedAt",
    (${ATTEMPTS_SQL}) as tries
  from (${chosen} ${NEWEST_FIRST} limit :limit) d
  join webhook_events e on e.id = d.event_id
  join webhook_endpoints p on p.id = d.endpoint_id
  ${NEWEST_FIRST}`;

/** Newest first; attempts oldest first. */
export async function listDeliveries(sql: Sql, filter: DeliveryFilter) {
  const conditions = conditionsOf(filter);
  const made = filter.since ? [...conditions, 'd.created_at >= :since'] : conditions;
  const touched = [...conditions, 'd.created_at < :since', TOUCHED_SINCE];
  const older = filter.since ? [selectWhere(touched)] : [];
  const newest = await sql.all(listedBy(listSql(newestSql(filter, made))), filter);
  const rest = { ...filter, limit: filter.limit - newest.length };
  const others = rest.limit > 0 && older[0] ? await sql.all(listedBy(listSql(older[0])), rest) : [];
  const all = [selectWhere([OF_ANY_ENDPOINT, ...made]), ...older].join(' union all ');
  return countPage(sql, [...newest, ...others], countedBy(countSql(all)), filter);
}

const listedBy = statementVariants<DeliveryFilter, DeliveryView>('list_deliveries');
const countedBy = statementVariants<DeliveryFilter & { most: number }, { total: number }>(
  'count_deliveries',
);

const selectWhere = (conditions: readonly string[]) =>
  `select d.* from webhook_deliveries d where ${conditions.join(' and ')}`;
const OF_ANY_ENDPOINT = 'd.endpoint_id in (select id from webhook_endpoints)';

/** Only the conditions in use, so that they lead to an index. */
function conditionsOf({ endpointId, leadId, event, status }: DeliveryFilter): string[] {
  return [
    ...(endpointId === null ? [] : ['d.endpoint_id = :endpointId']),
    ...(leadId === null ? [] : ['d.lead_id = :leadId']),
    ...(status === null ? [] : ['d.status = :status']),
    ...(event === null ? [] : [isType(event) ? OF_TYPE : 'd.event_id = :event']),
  ];
}

const isType = (event: string) => eventTypes.some((type) => type === event);
const OF_TYPE = `exists (select from webhook_events e where e.id = d.event_id and e.type = :event)`;

/** Attempted since, or failed without an attempt. */
const TOUCHED_SINCE = `(d.event_id, d.endpoint_id) in (
    select event_id, endpoint_id from webhook_attempts where at >= :since
    union all select event_id, endpoint_id from webhook_deliveries where status = 'failed' and finished_at >= :since)`;

/** Endpoints and event types have indexes by time; open and failed deliveries have their own. */
function newestSql(
  { endpointId, leadId, event, status }: DeliveryFilter,
  conditions: readonly string[],
): string {
  const isOfFew = leadId !== null || (event !== null && !isType(event));
  const isOpen = status !== null && status !== 'delivered';
  if (isOfFew || isOpen || (endpointId !== null && event === null)) return selectWhere(conditions);
  if (event !== null)
    return `select d.* from (select d.* from webhook_events e join webhook_deliveries d on d.event_id = e.id
    where ${['e.type = :event', ...conditions].join(' and ')}
    order by e.created_at desc, e.id desc, d.endpoint_id limit :limit) d`;
  const ofEndpoint = [`d.endpoint_id = p.id`, ...conditions].join(' and ');
  return `select d.* from webhook_endpoints p, lateral (
    select d.* from webhook_deliveries d where ${ofEndpoint} ${NEWEST_FIRST} limit :limit) d`;
}

/** Deliveries of the event, or without it all failed ones. */
export interface Resend {
  eventId: string | null;
  endpointId: string | null;
  since: Date | null;
}

const DUE_ONCE_MORE = `status = 'pending', attempts = 0, generation = d.generation + 1, next_attempt_at = null,
    failure_reason = null, finished_at = null`;

const REOPEN_DELIVERIES = statement<Resend & { now: Date }, DeliveryKey>('reopen_deliveries')`
with reopened as (
  update webhook_deliveries d set ${DUE_ONCE_MORE}
  from webhook_endpoints p
  where p.id = d.endpoint_id and p.enabled
    and (:eventId::text is null or d.event_id = :eventId)
    and (:endpointId::uuid is null or d.endpoint_id = :endpointId)
    and (:eventId is not null or d.status = 'failed')
    and (:since::timestamptz is null or d.finished_at >= :since)
  returning d.event_id, d.endpoint_id, d.lead_id),
signalled as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select distinct lead_id, 'resent', :now::timestamptz, :now from reopened)
select r.event_id as "eventId", r.endpoint_id as "endpointId"
from reopened r join webhook_events e on e.id = r.event_id
order by e.created_at, r.event_id`;

export async function disabledEndpointsOf(sql: Sql, resend: Omit<Resend, 'since'>) {
  const rows = await sql.all(FIND_DISABLED_ENDPOINTS, resend);
  return rows.map(({ id }) => id);
}

const FIND_DISABLED_ENDPOINTS = statement<Omit<Resend, 'since'>, { id: string }>(
  'find_disabled_endpoints',
)`
select p.id from webhook_deliveries d join webhook_endpoints p on p.id = d.endpoint_id
where d.event_id = :eventId and (:endpointId::uuid is null or p.id = :endpointId) and not p.enabled
order by p.id`;

/** With the whole schedule, except for disabled endpoints. Outbox rows also work while Temporal is unreachable. */
export function reopenDeliveries(sql: Sql, resend: Resend, now: Date): Promise<DeliveryKey[]> {
  return sql.all(REOPEN_DELIVERIES, { ...resend, now });
}

/** All events for an endpoint since then, also those delivered, and those before the endpoint or its types existed. */
export interface ResendAll {
  endpointId: string;
  since: Date;
}

const EVENTS_OF_ENDPOINT = `
  select e.id, e.lead_id, e.created_at from webhook_endpoints p
  join webhook_events e on e.client_id = p.client_id and e.type = any (p.events)
  where p.id = :endpointId and p.enabled and e.type = any (:leadEventTypes::text[]) and e.created_at >= :since`;

export async function countResendable(sql: Sql, resend: ResendAll): Promise<number> {
  return (await sql.first(COUNT_RESENDABLE, { ...resend, leadEventTypes }))?.events ?? 0;
}

type ResendParams = ResendAll & { leadEventTypes: readonly string[] };

const COUNT_RESENDABLE = statement<ResendParams, { events: number }>('count_resendable')`
select count(*)::int as events from (${EVENTS_OF_ENDPOINT}) e where not exists (
  select from webhook_deliveries d where (d.event_id, d.endpoint_id) = (e.id, :endpointId)
    and d.status not in ('delivered', 'failed'))`;

const RESEND_ALL = statement<ResendParams & { now: Date }, { events: number }>('resend_all')`
with sent as (
  insert into webhook_deliveries as d (event_id, endpoint_id, lead_id, created_at)
  select e.id, :endpointId, e.lead_id, :now::timestamptz from (${EVENTS_OF_ENDPOINT}) e
  on conflict (event_id, endpoint_id) do update set ${DUE_ONCE_MORE}
  where d.status in ('delivered', 'failed')
  returning lead_id),
signalled as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select distinct lead_id, 'resent', :now::timestamptz, :now from sent)
select count(*)::int as events from sent`;

/** Returns how many it made due. Pending deliveries are not sent twice. */
export async function resendAll(sql: Sql, resend: ResendAll, now: Date): Promise<number> {
  return (await sql.first(RESEND_ALL, { ...resend, leadEventTypes, now }))?.events ?? 0;
}

/** Leads with a delivery whose attempt is due and not recorded. */
export async function findLeadsWithDueDeliveries(sql: Sql, leadIds: readonly string[], now: Date) {
  const rows = await sql.all(FIND_DUE_LEADS, { leadIds, now });
  return rows.map(({ leadId }) => leadId);
}

const FIND_DUE_LEADS = statement<{ leadIds: readonly string[]; now: Date }, { leadId: string }>(
  'find_due_leads',
)`
select distinct lead_id as "leadId" from webhook_deliveries
where lead_id = any (:leadIds::uuid[]) and status = 'pending' and coalesce(next_attempt_at, created_at) <= :now`;

const ENDPOINTS_OF_CLIENT = `(
  select id from webhook_endpoints where client_id = (select id from oauth_clients where client_id = :clientId))`;

export async function countOpenDeliveries(sql: Sql, clientId: string): Promise<number> {
  return (await sql.first(COUNT_OPEN_DELIVERIES, { clientId }))?.open ?? 0;
}

const countOf = (status: DeliveryStatus) =>
  `(select count(*) from webhook_deliveries where endpoint_id in ${ENDPOINTS_OF_CLIENT} and status = '${status}')`;

const COUNT_OPEN_DELIVERIES = statement<{ clientId: string }, { open: number }>(
  'count_open_deliveries',
)`
select (${countOf('pending')} + ${countOf('held')})::int as open`;

const RELEASE_HELD_DELIVERIES = statement<{ clientId: string; now: Date }, { due: number }>(
  'release_held_deliveries',
)`
with due as (
  update webhook_deliveries set status = 'pending', generation = generation + 1
  where endpoint_id in ${ENDPOINTS_OF_CLIENT} and status = 'held' returning lead_id),
signalled as (
  insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
  select distinct lead_id, 'client_activated', :now::timestamptz, :now from due)
select count(*)::int as due from due`;

/** Runs after the commit that activates the client, so that it finds all held deliveries. */
export async function releaseHeldDeliveries(sql: Sql, clientId: string, now: Date) {
  return (await sql.first(RELEASE_HELD_DELIVERIES, { clientId, now }))?.due ?? 0;
}
