import type { Transition } from '../../domain/assignment/transitions.ts';
import type { Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { buildLeadEvent, type LeadEvent } from '../../domain/webhooks/event-payloads.ts';
import { buildTransitionRows, NO_ASSIGNMENT } from '../assignment/record-transition.ts';
import type { RowsByTable } from '../db/insert-rows.ts';
import type { LeadRow } from './lead-tables.ts';
import {
  buildContactPointRows,
  buildEventRow,
  buildOutboxRow,
  buildSubmittedRows,
  type RowContext,
  type Submitted,
} from './lead-rows.ts';

export interface NewLead extends Submitted {
  lead: LeadRow;
  source: Entry | null;
  contactPoints: readonly ContactPoint[];
  isNewContact: boolean;
  transition: Transition;
}

/** A new lead and all that belongs to it. */
export function buildNewLeadRows(newLead: NewLead, context: RowContext): RowsByTable {
  const { lead, transition } = newLead;
  const { now, newId } = context;
  const created = buildLeadCreated(newLead, context);
  const assignment = buildTransitionRows(lead, NO_ASSIGNMENT, transition, {
    ...{ now, newId, clientId: lead.client_id },
  });
  return {
    contacts: newLead.isNewContact ? [buildContactRow(lead)] : [],
    leads: [lead],
    lead_access: [{ lead_id: lead.id, client_id: lead.client_id }],
    ...buildContactPointRows(newLead.contactPoints, lead, { founding: true }),
    ...buildSubmittedRows(newLead, context),
    ...assignment,
    webhook_events: [buildEventRow(created, lead, now), ...assignment.webhook_events],
    lead_outbox: [buildOutboxRow(lead.id, 'created', now)],
  };
}

/** The `lead.created` of a new lead (Events). */
function buildLeadCreated(
  { lead, source, transition: { holder } }: NewLead,
  { now, newId }: RowContext,
): LeadEvent {
  return buildLeadEvent(
    'lead.created',
    { id: `evt_${newId()}`, sequence: 1, at: now },
    {
      leadId: lead.id,
      contactId: lead.contact_id,
      createdAt: lead.created_at,
      status: lead.assignment_status,
      source,
      integrationRef: lead.integration_ref ?? null,
      isRepeatLead: lead.is_repeat_lead,
      repeatOfLeadId: lead.repeat_of_lead_id,
      isAgentEnquiry: lead.is_agent_enquiry,
      needsIntakeReview: lead.intake_unresolved !== null,
      assignedTo: holder.kind === 'agent' ? holder.agent : null,
    },
  );
}

/** From the name and company fields (Contact resolution, 3). */
function buildContactRow(lead: LeadRow) {
  return {
    id: lead.contact_id,
    first_name: lead.lead_first_name,
    middle_name: lead.lead_middle_name,
    last_name: lead.lead_last_name,
    company_name: lead.lead_company_name,
    created_at: lead.created_at,
  };
}
