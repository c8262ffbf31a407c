import type { Comment } from '../../domain/leads/comments.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Ownership } from '../../domain/leads/owner.ts';
import type { LeadRow } from '../../store/leads/lead-row.ts';
import type { LeadRows } from '../../store/leads/lead-tables.ts';
import { buildEventRow, buildTimelineRow } from '../../store/leads/timeline-rows.ts';
import { newLeadEvents } from './lead-events.ts';
import type { IntakeRequest } from './request.ts';
import {
  assignmentRow,
  blockRows,
  commentRows,
  contactPointRows,
  outboxRow,
  quizRows,
} from './rows.ts';
import type { ResolvedEnquiry } from './resolve-enquiry.ts';

export interface NewLeadParts {
  lead: LeadRow;
  people: readonly ContactPoint[];
  isNewContact: boolean;
  settled: ResolvedEnquiry;
  ownership: Ownership;
  submissionId: string;
  comments: readonly Comment[];
}

/** A new lead and all that belongs to it. */
export function buildNewLeadRows(request: IntakeRequest, parts: NewLeadParts): LeadRows {
  const { newId, now, caller } = request;
  const { lead, settled, ownership, submissionId } = parts;
  const context = { leadId: lead.id, submissionId, now, newId };
  const events = newLeadEvents(request, lead, ownership.owner?.agent ?? null);
  const note = { kind: 'created', clientId: caller.id, text: `Created by ${caller.name}.` };
  return {
    contacts: parts.isNewContact ? [contactRow(lead)] : [],
    leads: [lead],
    lead_access: [{ lead_id: lead.id, client_id: caller.id }],
    ...contactPointRows(parts.people, lead, { founding: true }),
    comments: commentRows(parts.comments, context),
    timeline_notes: [buildTimelineRow({ ...context, ...note })],
    ad_platform_blocks: blockRows(settled.block, context),
    ...quizRows(settled.quiz, context),
    assignments: ownership.owner ? [assignmentRow(lead, ownership.owner, newId())] : [],
    webhook_events: events.map((event) => buildEventRow(event, lead, now)),
    lead_outbox: [outboxRow(lead.id, 'created', now)],
  };
}

/** From the name, company, phone and e-mail fields (Contact resolution, 3). */
function contactRow(lead: LeadRow) {
  return {
    id: lead.contact_id,
    first_name: lead.lead_first_name,
    middle_name: lead.lead_middle_name,
    last_name: lead.lead_last_name,
    company_name: lead.lead_company_name,
    created_at: lead.created_at,
  };
}
