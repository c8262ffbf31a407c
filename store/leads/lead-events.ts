import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';

export interface LeadEventEntry {
  eventId: string;
  type: string;
  sequence: number;
  createdAt: Date;
  client: string;
  deliveries: LeadEventDelivery[];
}

export interface LeadEventDelivery {
  endpointId: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  lastStatusCode: number | null;
  lastError: string | null;
  /** ISO 8601. */
  nextAttemptAt: string | null;
  finishedAt: string | null;
}

/** The webhook events of a lead in the order of their sequence numbers, each with its deliveries. */
export async function readLeadEvents(sql: Sql, leadId: string): Promise<LeadEventEntry[]> {
  return sql.query<LeadEventEntry>(LEAD_EVENTS_SQL, { leadId });
}

const LEAD_EVENTS_SQL = `
select e.id as "eventId", e.type, e.sequence, e.created_at as "createdAt",
  (select client_id from oauth_clients where id = e.client_id) as client,
  coalesce((select jsonb_agg(jsonb_build_object(
      'endpointId', d.endpoint_id, 'url', p.url, 'status', d.status, 'attempts', d.attempts,
      'lastStatusCode', t.status_code, 'lastError', t.error,
      'nextAttemptAt', ${utcText('d.next_attempt_at')}, 'finishedAt', ${utcText('d.finished_at')})
      order by p.created_at, p.id)
    from webhook_deliveries d join webhook_endpoints p on p.id = d.endpoint_id
    left join lateral (
      select status_code, error from webhook_attempts a
      where a.event_id = d.event_id and a.endpoint_id = d.endpoint_id order by a.at desc, a.id desc limit 1) t on true
    where d.event_id = e.id), '[]') as deliveries
from webhook_events e where e.lead_id = :leadId and e.sequence is not null order by e.sequence`;
