import { endpointEventTypes } from '../../domain/webhooks/event-payloads.ts';
import type { Sql } from '../db/database.ts';

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
  /** Deliveries that have not arrived and will be tried again, held ones among them. */
  waiting: number;
  /** The earliest; null: none waits. */
  nextAttemptAt: Date | null;
  /** Endpoints of the client that are told when this one fails or is switched off. */
  alerts: string[];
}

interface LastDay {
  calls: number;
  /** 0 to 1; null: there was no call. */
  successRate: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
  /** Deliveries that were given up. */
  failed: number;
}

export interface EndpointFilter {
  /** The public client id. */
  clientId: string | null;
  endpointId: string | null;
}

const DAY_MS = 24 * 3_600_000;

/** All endpoints, or those of a client, or one; the oldest first. */
export function listEndpoints(
  sql: Sql,
  filter: EndpointFilter,
  now: Date,
): Promise<EndpointOverview[]> {
  const since = new Date(now.getTime() - DAY_MS);
  return sql.query<EndpointOverview>(ENDPOINTS_SQL, { ...filter, since, endpointEventTypes });
}

const ENDPOINTS_SQL = `
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
