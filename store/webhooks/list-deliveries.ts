import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';
import type { DeliveryStatus } from './load-delivery.ts';

export interface DeliveryFilter {
  endpointId: string | null;
  leadId: string | null;
  /** An event's id, or the name of a kind of event. */
  event: string | null;
  status: DeliveryStatus | null;
  /** Made, tried or finished since. */
  since: Date | null;
  limit: number;
}

export interface TryView {
  at: string;
  statusCode: number | null;
  latencyMs: number;
  error: string | null;
  responseHead: string | null;
}

export interface DeliveryView {
  eventId: string;
  endpointId: string;
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

const TRIES = `
  select coalesce(json_agg(json_build_object(
    'at', ${utcText('a.at')}, 'statusCode', a.status_code,
    'latencyMs', a.latency_ms, 'error', a.error, 'responseHead', a.response_head) order by a.at, a.id), '[]')
  from webhook_attempts a where a.event_id = d.event_id and a.endpoint_id = d.endpoint_id`;

/** Chosen before anything is joined to them: of years of deliveries a few are asked for. */
const CHOSEN = `
  select d.* from webhook_deliveries d
  where ($1::uuid is null or d.endpoint_id = $1) and ($2::uuid is null or d.lead_id = $2)
    and ($3::text is null or d.status = $3)
    and ($6::text is null or d.event_id = $6
      or exists (select from webhook_events e where e.id = d.event_id and e.type = $6))
    and ($4::timestamptz is null or greatest(d.created_at, d.finished_at) >= $4 or exists (
      select from webhook_attempts a
      where a.event_id = d.event_id and a.endpoint_id = d.endpoint_id and a.at >= $4))
  order by d.created_at desc, d.event_id desc, d.endpoint_id limit $5`;

const LIST = `
  select d.event_id as "eventId", d.endpoint_id as "endpointId", e.type as "eventType",
    d.lead_id as "leadId", p.url, d.status, d.next_attempt_at as "nextAttemptAt",
    d.failure_reason as "failureReason", d.created_at as "createdAt", d.finished_at as "finishedAt",
    (${TRIES}) as tries
  from (${CHOSEN}) d
  join webhook_events e on e.id = d.event_id
  join webhook_endpoints p on p.id = d.endpoint_id
  order by d.created_at desc, d.event_id desc, d.endpoint_id`;

/** Newest first, each with its tries, oldest first. */
export async function listDeliveries(sql: Sql, filter: DeliveryFilter): Promise<DeliveryView[]> {
  const { endpointId, leadId, event, status, since, limit } = filter;
  return sql.query<DeliveryView & Record<string, unknown>>(LIST, [
    endpointId,
    leadId,
    status,
    since,
    limit,
    event,
  ]);
}
