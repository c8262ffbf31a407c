import {
  buildAgentView,
  buildLeadAssignedEvent,
  buildLeadCreatedEvent,
} from '../../domain/webhooks/event-payloads.ts';
import type { AgentView, LeadEvent } from '../../domain/webhooks/event-payloads.ts';
import type { AgentEntry } from '../../domain/catalogue/lookups/reference.ts';
import type { LeadRow } from '../../store/leads/lead-row.ts';
import type { IntakeRequest } from './request.ts';

/** The announcements of a new lead, written with the facts that they tell (Events). */
export function newLeadEvents(
  request: IntakeRequest,
  lead: LeadRow,
  owner: AgentEntry | null,
): LeadEvent[] {
  const assignedTo = owner && buildAgentView(owner);
  const created = createdEvent(request, lead, assignedTo);
  return assignedTo ? [created, assignedEvent(request, lead, assignedTo)] : [created];
}

function createdEvent(
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
      source: reference.lists.source.named(lead.source_id as string | null),
      integrationRef: lead.integration_ref as string | null,
      isRepeatLead: lead.is_repeat_lead,
      repeatOfLeadId: lead.repeat_of_lead_id,
      isAgentEnquiry: lead.is_agent_enquiry,
      needsIntakeReview: lead.intake_unresolved !== null,
      assignedTo,
    },
  );
}

function assignedEvent({ now, newId }: IntakeRequest, lead: LeadRow, agent: AgentView): LeadEvent {
  return buildLeadAssignedEvent(
    { id: `evt_${newId()}`, sequence: 2, at: now },
    {
      leadId: lead.id,
      status: 'assigned',
      agent,
      assignedAt: lead.created_at,
      previousAgentId: null,
      integrationRef: lead.integration_ref as string | null,
    },
  );
}
