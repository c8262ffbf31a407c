import type { DeliveryInput } from '../../workflows/messages.ts';
import type { Sql } from '../database.ts';

/** Which deliveries to send again. */
export type Resend =
  | { kind: 'one'; eventId: string; endpointId: string | null }
  | { kind: 'failed'; endpointId: string | null; since: Date | null };

const REOPEN = `
  with reopened as (
    update webhook_deliveries d
    set status = 'pending', attempts = 0, started_at = null, next_attempt_at = null,
      failure_reason = null, finished_at = null
    from webhook_endpoints p
    where p.id = d.endpoint_id and p.enabled
      and ($1::text is null or d.event_id = $1)
      and ($2::uuid is null or d.endpoint_id = $2)
      and ($1 is not null or d.status = 'failed')
      and ($3::timestamptz is null or d.finished_at >= $3)
    returning d.event_id, d.endpoint_id, d.lead_id)
  select r.event_id as "eventId", r.endpoint_id as "endpointId", r.lead_id as "leadId",
    e.type as "eventType", c.client_id as "oauthClientId"
  from reopened r
  join webhook_events e on e.id = r.event_id
  join oauth_clients c on c.id = e.client_id
  order by e.created_at, r.event_id`;

/**
 * Makes deliveries pending once more, with the whole schedule before them; those of endpoints that are
 * switched off stay as they are. Until a workflow is started for them they count as forgotten, so that
 * none is lost when Temporal is away.
 */
export async function reopenDeliveries(sql: Sql, resend: Resend): Promise<DeliveryInput[]> {
  const eventId = resend.kind === 'one' ? resend.eventId : null;
  const since = resend.kind === 'one' ? null : resend.since;
  return sql.query<DeliveryInput & Record<string, unknown>>(REOPEN, [
    eventId,
    resend.endpointId,
    since,
  ]);
}
