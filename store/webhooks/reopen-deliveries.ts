import type { Sql } from '../db/database.ts';
import type { DeliveryKey } from './load-delivery.ts';

/** Which deliveries to send again. */
export type Resend =
  | { kind: 'one'; eventId: string; endpointId: string | null }
  | { kind: 'failed'; endpointId: string | null; since: Date | null };

const REOPEN = `
  with reopened as (
    update webhook_deliveries d
    set status = 'pending', attempts = 0, generation = generation + 1, next_attempt_at = null,
      failure_reason = null, finished_at = null
    from webhook_endpoints p
    where p.id = d.endpoint_id and p.enabled
      and ($1::text is null or d.event_id = $1)
      and ($2::uuid is null or d.endpoint_id = $2)
      and ($1 is not null or d.status = 'failed')
      and ($3::timestamptz is null or d.finished_at >= $3)
    returning d.event_id, d.endpoint_id, d.lead_id),
  announced as (
    insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
    select distinct lead_id, 'resent', $4::timestamptz, $4 from reopened)
  select r.event_id as "eventId", r.endpoint_id as "endpointId"
  from reopened r join webhook_events e on e.id = r.event_id
  order by e.created_at, r.event_id`;

/**
 * Makes deliveries due once more, with the whole schedule before them; those of endpoints that are switched
 * off stay as they are. Their leads' workflows hear of it through the outbox, also when Temporal is away.
 */
export async function reopenDeliveries(
  sql: Sql,
  resend: Resend,
  now: Date,
): Promise<DeliveryKey[]> {
  const eventId = resend.kind === 'one' ? resend.eventId : null;
  const since = resend.kind === 'one' ? null : resend.since;
  return sql.query<DeliveryKey & Record<string, unknown>>(REOPEN, [
    eventId,
    resend.endpointId,
    since,
    now,
  ]);
}
