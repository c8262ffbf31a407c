import { agentEnquiryReason } from '../../domain/leads/agent-enquiry.ts';
import { readComments } from '../../domain/leads/comments.ts';
import { newEntries, NOTHING_KNOWN } from '../../domain/leads/contact-points.ts';
import { firstHolder } from '../../domain/leads/merge.ts';
import { distributionTypeOf } from '../../domain/leads/distribution-type.ts';
import { sentText, sentTexts } from '../../domain/leads/enquiry.ts';
import type { Listing } from '../../domain/leads/listing-inheritance.ts';
import { buildLeadRow, decideNewAssignment } from '../../domain/leads/new-lead.ts';
import { decideOwnership, type Ownership } from '../../domain/leads/owner.ts';
import { assignmentColumns, NO_ASSIGNMENT } from '../../domain/assignment/records.ts';
import type { Campaign } from '../../store/leads/write-lead.ts';
import type { IntakeFacts, KnownContact } from '../../store/leads/intake-facts.ts';
import type { LeadRow } from '../../store/leads/lead-json.ts';
import type { NewLead } from '../../store/leads/lead-rows.ts';
import type { IntakeRequest, ResolvedEnquiry } from './apply-submission.ts';

export interface NewLeadInputs {
  facts: IntakeFacts;
  isPortal: boolean;
}

export interface DecidedLead extends NewLead {
  ownership: Ownership;
  listing: Listing | null;
  campaign: Campaign | null;
}

export function decideNewLead(
  request: IntakeRequest,
  inputs: NewLeadInputs,
  { built, quiz, block, campaign }: ResolvedEnquiry,
): DecidedLead {
  const { enquiry, reference, caller, now, settings } = request;
  const { contactPoints } = enquiry;
  const { followUpMs } = settings;
  const ownership = decideOwner(request, built.listing, block);
  const transition = decideNewAssignment(ownership, { createdBy: caller.name, followUpMs });
  const contact = firstHolder(contactPoints, inputs.facts.contacts)?.holder ?? null;
  const unresolved = { ...built.unresolved, ...ownership.unresolved, ...quiz.unresolved };
  const row = decideRow(request, inputs, contact, { built, ownership, unresolved });
  const assignment = assignmentColumns(NO_ASSIGNMENT, { transition, now });
  const lead: LeadRow = { ...row, ...assignment, traceparent: request.submission.traceparent };
  return {
    lead,
    contactPoints,
    isNewContact: contact === null,
    transition,
    quiz,
    block,
    ownership,
    listing: built.listing,
    campaign,
    source: reference.lists.source.named(lead.source_id ?? null),
    comments: readComments(enquiry.comments, []),
  };
}

function decideOwner(
  { enquiry, reference }: IntakeRequest,
  listing: Listing | null,
  block: ResolvedEnquiry['block'],
): Ownership {
  const agents = reference.lists.agent;
  const names = sentTexts(enquiry, 'assignedBy');
  const sent = sentText(enquiry, 'distributionType');
  return decideOwnership({
    assignedBy: names.find((name) => agents.resolve(name)) ?? names[0] ?? null,
    distribution: distributionTypeOf(sent, block?.block.customFields),
    listing,
    agents,
  });
}

function decideRow(
  { enquiry, reference, newId, caller, now, settings }: IntakeRequest,
  { facts, isPortal }: NewLeadInputs,
  contact: KnownContact | null,
  decided: Pick<Parameters<typeof buildLeadRow>[0], 'built' | 'ownership' | 'unresolved'>,
) {
  const funnelId = String(decided.built.columns.funnel_id ?? '');
  return buildLeadRow({
    ...decided,
    leadId: newId(),
    contactId: contact?.id ?? newId(),
    clientId: caller.id,
    now,
    mergeWindowMs: settings.mergeWindowMs,
    isPortal,
    phones: newEntries(enquiry.phones, NOTHING_KNOWN),
    emails: newEntries(enquiry.emails, NOTHING_KNOWN),
    funnel: reference.lists.funnel.byId(funnelId) ?? reference.mainFunnel,
    contact,
    agentEnquiryReason: agentEnquiryReason({
      contact,
      isKnownAgent: facts.isKnownAgent,
      contactPoints: enquiry.contactPoints,
      competitorDomains: reference.competitorDomains,
    }),
  });
}
