import type { Transition } from '../../domain/assignment/transitions.ts';
import type { Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { LeadRow } from './lead-tables.ts';
import {
  buildContactPointRows,
  buildOutboxRow,
  buildSubmittedRows,
  type RowContext,
  type Submitted,
} from './lead-rows.ts';
import type { NewLeadRows } from './write-lead.ts';

export interface NewLead extends Submitted {
  lead: LeadRow;
  source: Entry | null;
  contactPoints: readonly ContactPoint[];
  isNewContact: boolean;
  transition: Transition;
}

/** A new lead and all that belongs to it. */
export function buildNewLeadRows(newLead: NewLead, context: RowContext): NewLeadRows {
  const { lead, source, transition } = newLead;
  const { now, newId } = context;
  return {
    lead,
    source,
    transition: { transition, now, newId, clientId: lead.client_id },
    added: {
      contacts: newLead.isNewContact ? [buildContactRow(lead)] : [],
      lead_access: [{ lead_id: lead.id, client_id: lead.client_id }],
      ...buildContactPointRows(newLead.contactPoints, lead, { founding: true }),
      ...buildSubmittedRows(newLead, context),
      lead_outbox: [buildOutboxRow(lead.id, 'created', now)],
    },
  };
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
