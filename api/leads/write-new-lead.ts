import { blockText } from '../../domain/leads/ad-platform.ts';
import { agentEnquiryReason } from '../../domain/leads/agent-enquiry.ts';
import { readComments } from '../../domain/leads/comments.ts';
import {
  firstHolder,
  newEntries,
  normaliseEmail,
  normalisePhone,
} from '../../domain/leads/contact-points.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { distributionTypeOf } from '../../domain/leads/distribution-type.ts';
import { sentText, sentTexts, textsOf } from '../../domain/leads/enquiry.ts';
import { buildAgentView } from '../../domain/webhooks/event-payloads.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import { buildLeadRow, decideNewAssignment } from '../../domain/leads/new-lead.ts';
import { decideOwnership } from '../../domain/leads/owner.ts';
import type { Ownership } from '../../domain/leads/owner.ts';
import type { Transition } from '../../domain/assignment/transitions.ts';
import type { Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { Sql } from '../../store/db/database.ts';
import { assignmentColumns, NO_ASSIGNMENT } from '../../store/assignment/record-transition.ts';
import type { LeadRow } from '../../store/leads/lead-tables.ts';
import type { IntakeFacts, KnownContact } from '../../store/leads/read-intake.ts';
import { insertLead } from '../../store/leads/write-lead.ts';
import { buildNewLeadRows } from './new-lead-rows.ts';
import type { CommentCount } from '../responses/lead-record.ts';
import type { IntakeRequest } from './request.ts';
import { resolveEnquiry } from './resolve-enquiry.ts';
import type { ResolvedEnquiry } from './resolve-enquiry.ts';

export interface CreatedLead {
  lead: LeadRow;
  /** The blocks as they were stored. */
  adPlatform: Record<string, unknown> | null;
  quiz: Record<string, unknown> | null;
  /** By its id on the platform while no name has come with it. */
  campaignName: string | null;
  /** Named by its reference number. */
  listing: Entry | null;
  /** Whom assignedBy resolved to, who may not be the owner. */
  assignedBy: Entry | null;
  assignedTo: AgentView | null;
  comments: CommentCount | null;
  outboxId: number | null;
}

interface Found {
  facts: IntakeFacts;
  people: readonly ContactPoint[];
  isPortal: boolean;
}

export async function writeNewLead(
  sql: Sql,
  request: IntakeRequest,
  found: Found,
): Promise<CreatedLead> {
  const { enquiry, caller, now, newId, body } = request;
  const settled = await resolveEnquiry(sql, request, found.facts, { kind: 'create', current: {} });
  const ownership = ownershipOf(request, settled);
  const contact = firstHolder(found.people, found.facts.contacts)?.holder ?? null;
  const { followUpMs } = request.settings;
  const transition = decideNewAssignment(ownership, { createdBy: caller.name, followUpMs });
  const lead = buildLead(request, found, { settled, ownership, contact, transition });
  const comments = enquiry.comments && readComments(enquiry.comments, new Set());
  const submissionId = newId();
  const rows = buildNewLeadRows(request, {
    ...{ lead, people: found.people, isNewContact: contact === null },
    ...{ settled, transition, submissionId, comments: comments?.added ?? [] },
  });
  const submission = { id: submissionId, leadId: lead.id, clientId: caller.id };
  const outboxId = await insertLead(sql, rows, {
    ...{ ...submission, kind: 'create', receivedAt: now, body },
  });
  return {
    ...shown(request, settled, ownership),
    lead,
    comments: comments && { added: comments.added.length, skipped: comments.skipped },
    outboxId,
  };
}

function ownershipOf(request: IntakeRequest, { built, block }: ResolvedEnquiry): Ownership {
  const { enquiry, reference } = request;
  const agents = reference.lists.agent;
  const names = sentTexts(enquiry, 'assignedBy');
  return decideOwnership({
    assignedBy: names.find((name) => agents.resolve(name).kind === 'matched') ?? names[0] ?? null,
    distribution: distributionTypeOf(
      sentText(enquiry, 'distributionType'),
      block?.block.customFields,
    ),
    listing: built.listing,
    agents,
  });
}

interface Decided {
  settled: ResolvedEnquiry;
  ownership: Ownership;
  contact: KnownContact | null;
  transition: Transition;
}

function buildLead(
  request: IntakeRequest,
  { facts, people, isPortal }: Found,
  decided: Decided,
): LeadRow {
  const { enquiry, reference, newId, caller, now, settings } = request;
  const { settled, ownership, contact, transition } = decided;
  const { built, quiz } = settled;
  const funnelId = String(built.columns.funnel_id ?? '');
  const row = buildLeadRow({
    ...{ leadId: newId(), contactId: contact?.id ?? newId(), clientId: caller.id },
    ...{ now, ...settings, built, ownership, isPortal },
    phones: newEntries(textsOf(enquiry, 'leadPhones'), normalisePhone, []),
    emails: newEntries(textsOf(enquiry, 'leadEmails'), normaliseEmail, []),
    funnel: reference.lists.funnel.byId(funnelId) ?? reference.mainFunnel,
    contact,
    agentEnquiryReason: agentEnquiryReason({
      contact,
      isKnownAgent: facts.isKnownAgent,
      contactPoints: people,
      competitorDomains: reference.competitorDomains,
    }),
    unresolved: { ...built.unresolved, ...ownership.unresolved, ...quiz.unresolved },
  });
  return { ...row, ...assignmentColumns(NO_ASSIGNMENT, transition, now) };
}

function shown(request: IntakeRequest, settled: ResolvedEnquiry, { owner, named }: Ownership) {
  const { listing } = settled.built;
  return {
    adPlatform: settled.block?.block ?? null,
    quiz: request.enquiry.quiz?.block ?? null,
    campaignName: settled.campaign?.name ?? blockText(settled.block?.block, 'adPlatformCampaignId'),
    listing: listing && { id: listing.id, name: listing.referenceNo },
    assignedBy: named && { id: named.id, name: named.name },
    assignedTo: owner && buildAgentView(owner.agent),
  };
}
