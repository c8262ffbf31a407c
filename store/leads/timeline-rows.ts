import type { LeadEvent } from '../../domain/webhooks/event-payloads.ts';

export interface Note {
  leadId: string;
  now: Date;
  newId: () => string;
  kind: string;
  text: string;
  clientId?: string | null;
  data?: object;
}

/** A note on the lead's timeline; its text names integrations and fields, never a person. */
export function buildTimelineRow({
  leadId,
  now,
  newId,
  kind,
  text,
  clientId = null,
  data = {},
}: Note) {
  return {
    id: newId(),
    lead_id: leadId,
    at: now.toISOString(),
    kind,
    client_id: clientId,
    text,
    data,
  };
}

export function buildEventRow(
  event: LeadEvent,
  lead: { id: string; client_id: string },
  now: Date,
) {
  return { ...event, lead_id: lead.id, client_id: lead.client_id, created_at: now.toISOString() };
}
