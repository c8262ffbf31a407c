import type { Sql } from '../db/database.ts';
import type { DeliveryKey } from './load-delivery.ts';

/** Which deliveries to send again. */
export type Resend =
  | { kind: 'one'; eventId: string; endpointId: string | null }
  | { kind: 'failed'; endpointId: string | null; since: Date | null };

const REOPEN_SQL = `
  with reopened as (
    update webhook_deliveries d
    set status = 'pending', attempts = 0, generation = generation + 1, next_attempt_at = null,
      failure_reason = null, finished_at = null
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

/**
 * Makes deliveries due once more, with the whole schedule before them, except those of disabled endpoints.
 * Outbox rows signal their leads' workflows, also when Temporal is unreachable for now.
 */
export async function reopenDeliveries(
  sql: Sql,
  resend: Resend,
  now: Date,
): Promise<DeliveryKey[]> {
  const eventId = resend.kind === 'one' ? resend.eventId : null;
  const since = resend.kind === 'one' ? null : resend.since;
  const { endpointId } = resend;
  return sql.query<DeliveryKey>(REOPEN_SQL, { eventId, endpointId, since, now });
}
