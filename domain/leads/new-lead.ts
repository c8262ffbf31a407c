import { newAssignment, requireTransition, type Transition } from '../assignment/transitions.ts';
import type { AssignmentCause } from '../assignment/assignment-cause.ts';
import type { FunnelEntry } from '../catalogue/lookups/reference.ts';
import type { AgentEnquiryReason } from './agent-enquiry.ts';
import { markRepeatLead, mergeWindowEnd } from './merge.ts';
import type { LeadColumns } from './column-precedence.ts';
import { type Columns, emptyColumn, fields, type Unresolved } from './fields.ts';
import type { Ownership } from './owner.ts';
import { buildAgentView } from '../webhooks/event-payloads.ts';

export interface NewLeadFacts {
  leadId: string;
  contactId: string;
  clientId: string;
  now: Date;
  mergeWindowMs: number;
  built: LeadColumns;
  ownership: Ownership;
  phones: string[];
  emails: string[];
  funnel: FunnelEntry;
  isPortal: boolean;
  contact: { olderLeadId: string | null } | null;
  agentEnquiryReason: AgentEnquiryReason | null;
  unresolved: Unresolved;
}

const emptyPayload: Columns = Object.fromEntries(
  fields.flatMap((field) => (field.column ? [[field.column, emptyColumn(field.column)]] : [])),
);

/** Without the assignment. The stage is the first of the funnel (funnel values). */
export function buildLeadRow(facts: NewLeadFacts) {
  const { funnel } = facts;
  const at = facts.now.toISOString();
  const { columns } = facts.built;
  return {
    ...emptyPayload,
    ...columns,
    id: facts.leadId,
    contact_id: facts.contactId,
    client_id: facts.clientId,
    created_at: at,
    updated_at: at,
    lead_phones: facts.phones,
    lead_emails: facts.emails,
    funnel_id: funnel.id,
    stage_id: funnel.firstStage?.id ?? null,
    distribution_type: facts.ownership.distributionType,
    is_personal: facts.ownership.isPersonal,
    location_id: (columns.location_id as string | null | undefined) ?? null,
    bedrooms: (columns.bedrooms as string | null | undefined) ?? null,
    listing_set_by: (columns.listing_set_by as string | null | undefined) ?? null,
    developer_set_by: (columns.developer_set_by as string | null | undefined) ?? null,
    is_portal: facts.isPortal,
    ...markRepeatLead(facts.contact),
    is_agent_enquiry: facts.agentEnquiryReason !== null,
    agent_enquiry_reason: facts.agentEnquiryReason,
    intake_unresolved: Object.keys(facts.unresolved).length > 0 ? facts.unresolved : null,
    merge_window_ends_at: mergeWindowEnd(facts.now, facts.mergeWindowMs).toISOString(),
    merge_window_closed_at: null,
    agent_response_seconds: null,
    agent_responded_at: null,
  };
}

export function decideNewAssignment(
  { owner, isPersonal }: Ownership,
  { createdBy, followUpMs }: { createdBy: string; followUpMs: number },
): Transition {
  const cause: AssignmentCause = owner
    ? {
        kind: 'created_with_owner',
        createdBy,
        decidedBy: owner.decidedBy,
        followUpMs,
        agent: buildAgentView(owner.agent),
      }
    : { kind: 'created', createdBy };
  return requireTransition(newAssignment({ isPersonal }), cause);
}
