import type { EndpointEvent } from '../../domain/webhooks/event-payloads.ts';
import type { Sql } from '../db/database.ts';

/** Deliveries are activities of a lead's run: that of the newest one which the endpoint was to hear of. */
const INSERT_ENDPOINT_EVENT_SQL = `
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

/**
 * What happened to an endpoint, for the other endpoints of its client and for readers. An endpoint that has never
 * had a delivery has none: nobody waits for anything from it.
 */
export async function insertEndpointEvent(sql: Sql, endpointId: string, event: EndpointEvent) {
  await sql.query(INSERT_ENDPOINT_EVENT_SQL, { ...event, endpointId });
}
