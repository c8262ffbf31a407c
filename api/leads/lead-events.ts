import { buildLeadCreatedEvent } from '../../domain/webhooks/event-payloads.ts';
import type { AgentView, LeadEvent } from '../../domain/webhooks/event-payloads.ts';
import type { LeadRow } from '../../store/leads/lead-tables.ts';
import type { IntakeRequest } from './request.ts';

/** The `lead.created` of a new lead (Events). */
export function buildLeadCreated(
  { reference, now, newId }: IntakeRequest,
  lead: LeadRow,
  assignedTo: AgentView | null,
): LeadEvent {
  return buildLeadCreatedEvent(
    { id: `evt_${newId()}`, sequence: 1, at: now },
    {
      leadId: lead.id,
      contactId: lead.contact_id,
      createdAt: lead.created_at,
      status: lead.assignment_status,
      source: reference.lists.source.named(lead.source_id ?? null),
      integrationRef: lead.integration_ref ?? null,
      isRepeatLead: lead.is_repeat_lead,
      repeatOfLeadId: lead.repeat_of_lead_id,
      isAgentEnquiry: lead.is_agent_enquiry,
      needsIntakeReview: lead.intake_unresolved !== null,
      assignedTo,
    },
  );
}
