import type { Comment } from '../../domain/leads/comments.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Transition } from '../../domain/assignment/transitions.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import { buildTransitionRows, NO_ASSIGNMENT } from '../../store/assignment/record-transition.ts';
import type { RowsByTable } from '../../store/db/insert-rows.ts';
import type { LeadRow } from '../../store/leads/lead-tables.ts';
import { buildEventRow } from '../../store/leads/timeline-rows.ts';
import { buildLeadCreated } from './lead-events.ts';
import type { IntakeRequest } from './request.ts';
import { blockRows, commentRows, contactPointRows, outboxRow, quizRows } from './rows.ts';
import type { ResolvedEnquiry } from './resolve-enquiry.ts';

export interface NewLeadParts {
  lead: LeadRow;
  people: readonly ContactPoint[];
  isNewContact: boolean;
  settled: ResolvedEnquiry;
  transition: Transition;
  submissionId: string;
  comments: readonly Comment[];
}

/** A new lead and all that belongs to it. */
export function buildNewLeadRows(request: IntakeRequest, parts: NewLeadParts): RowsByTable {
  const { newId, now, caller } = request;
  const { lead, settled, transition, submissionId } = parts;
  const context = { leadId: lead.id, submissionId, now, newId };
  const created = buildLeadCreated(request, lead, holderOf(transition));
  const assignment = buildTransitionRows(lead, NO_ASSIGNMENT, transition, {
    ...{ now, newId, clientId: caller.id },
  });
  return {
    contacts: parts.isNewContact ? [contactRow(lead)] : [],
    leads: [lead],
    lead_access: [{ lead_id: lead.id, client_id: caller.id }],
    ...contactPointRows(parts.people, lead, { founding: true }),
    comments: commentRows(parts.comments, context),
    ad_platform_blocks: blockRows(settled.block, context),
    ...quizRows(settled.quiz, context),
    ...assignment,
    webhook_events: [buildEventRow(created, lead, now), ...assignment.webhook_events],
    lead_outbox: [outboxRow(lead.id, 'created', now)],
  };
}

function holderOf({ holder }: Transition): AgentView | null {
  return holder.kind === 'agent' ? holder.agent : null;
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
