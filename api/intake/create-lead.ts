import { agentEnquiryReason } from '../../domain/lead/agent-enquiry.ts';
import { readAdPlatform } from '../../domain/lead/ad-platform.ts';
import { assemble, campaignKey, listingKey } from '../../domain/lead/assemble.ts';
import type { Assembly } from '../../domain/lead/assemble.ts';
import { readComments } from '../../domain/lead/comments.ts';
import { firstHolder } from '../../domain/lead/contact-resolution.ts';
import { distributionTypeOf } from '../../domain/lead/distribution-type.ts';
import { textOf, textsOf } from '../../domain/lead/enquiry.ts';
import type { Enquiry } from '../../domain/lead/enquiry.ts';
import { agentView, leadAssigned, leadCreated } from '../../domain/lead/events.ts';
import type { AgentView, LeadEvent } from '../../domain/lead/events.ts';
import { emailHandle, handlesOf, phoneHandle, unseenEntries } from '../../domain/lead/handles.ts';
import type { Handle } from '../../domain/lead/handles.ts';
import { mergeTarget } from '../../domain/lead/merge-window.ts';
import type { MatchedOn } from '../../domain/lead/merge-window.ts';
import { newLead } from '../../domain/lead/new-lead.ts';
import { decideOwnership } from '../../domain/lead/owner.ts';
import type { Ownership } from '../../domain/lead/owner.ts';
import type { QuizPlan } from '../../domain/lead/quiz-plan.ts';
import type { Entry, Reference } from '../../domain/lookup/reference.ts';
import type { Database, Sql } from '../../store/database.ts';
import { ensureCampaign } from '../../store/leads/ensure-campaign.ts';
import type { LeadRow } from '../../store/leads/lead-row.ts';
import { lockPeople } from '../../store/leads/lock-people.ts';
import { planQuizUnderLock } from '../../store/leads/plan-quiz.ts';
import { readIntakeFacts } from '../../store/leads/read-intake.ts';
import type { IntakeFacts, KnownContact } from '../../store/leads/read-intake.ts';
import { insertLead } from '../../store/leads/write-lead.ts';
import type { LeadRows } from '../../store/leads/write-lead.ts';
import { attachEnquiry } from './attach-enquiry.ts';
import {
  assignmentRow,
  blockRow,
  commentRows,
  eventRow,
  handleRows,
  noteRow,
  outboxRow,
  quizRows,
} from './rows.ts';

export interface Caller {
  id: string;
  name: string;
}

/** Everything that one create needs beside the database; `newId` makes uuids. */
export interface IntakeRequest {
  enquiry: Enquiry;
  /** The JSON text of the body, kept as it came. */
  body: string;
  caller: Caller;
  reference: Reference;
  now: Date;
  newId: () => string;
  settings: { mergeWindowMs: number; followUpMs: number };
}

export interface CommentCount {
  added: number;
  skipped: number;
}

export type CreateOutcome =
  | {
      kind: 'created';
      lead: LeadRow;
      adPlatform: Record<string, unknown> | null;
      campaignName: string | null;
      listing: Entry | null;
      assignedTo: AgentView | null;
      comments: CommentCount | null;
      outboxId: number | null;
    }
  | {
      kind: 'merged';
      leadId: string;
      matchedOn: MatchedOn;
      ownerId: string | null;
      comments: CommentCount | null;
    };

/**
 * One READ COMMITTED transaction: the people are locked first, only then is anything read, so that two
 * simultaneous enquiries of one person make one lead.
 */
export async function createLead(
  database: Database,
  request: IntakeRequest,
): Promise<CreateOutcome> {
  const handles = handlesOf(phonesOf(request), emailsOf(request));
  return database.transaction(async (sql) => {
    await lockPeople(sql, handles);
    const facts = await readFacts(sql, request, handles);
    const target = mergeTarget(handles, facts.openLeads, isPortal(request));
    if (!target) return writeNewLead(sql, request, handles, facts);
    const merged = await attachEnquiry(sql, request, target.leadId, 'merge');
    return { kind: 'merged', ...target, ownerId: merged.lead.owner_id, comments: merged.comments };
  });
}

const phonesOf = ({ enquiry }: IntakeRequest) => textsOf(enquiry, 'leadPhones');
const emailsOf = ({ enquiry }: IntakeRequest) => textsOf(enquiry, 'leadEmails');

function isPortal({ enquiry, reference }: IntakeRequest): boolean {
  const source = textOf(enquiry, 'source');
  const outcome = source === null ? null : reference.lists.source.resolve(source);
  return outcome?.kind === 'matched' && outcome.entry.portal;
}

function readFacts(
  sql: Sql,
  { enquiry, now }: IntakeRequest,
  handles: Handle[],
): Promise<IntakeFacts> {
  const listing = listingKey(enquiry);
  const block = readAdPlatform(enquiry.adPlatform);
  const campaign = campaignKey(enquiry, block);
  return readIntakeFacts(sql, {
    handles,
    now,
    listingId: listing.id,
    referenceNo: listing.referenceNo,
    platformCampaignId: campaign?.platformCampaignId ?? null,
    campaignNameKey: campaign?.name?.toLowerCase() ?? null,
    adPlatformLeadId: block?.adPlatformLeadId ?? null,
    quizKey: typeof enquiry.quiz?.quizKey === 'string' ? enquiry.quiz.quizKey.trim() : null,
  });
}

async function writeNewLead(
  sql: Sql,
  request: IntakeRequest,
  handles: Handle[],
  facts: IntakeFacts,
): Promise<CreateOutcome> {
  const { enquiry, reference, now } = request;
  const quiz = await planQuizUnderLock(
    sql,
    enquiry.quiz,
    facts.quizQuestions,
    reference.quizFields,
  );
  const assembly = assemble(enquiry, {
    reference,
    quiz: quiz.mapped,
    listings: facts.listings,
    isBlockHeld: facts.blockHolder !== null,
  });
  const campaign = await ensureCampaign(
    sql,
    campaignKey(enquiry, assembly.block),
    facts.campaign,
    request,
  );
  const ownership = ownershipOf(request, assembly);
  const contact = firstHolder(handles, facts.contacts)?.holder ?? null;
  const contactId = contact?.id ?? request.newId();
  const lead = leadRow(request, {
    assembly,
    ownership,
    quiz,
    facts,
    handles,
    contact,
    contactId,
    campaignId: campaign?.id ?? null,
  });
  const { rows, submissionId, comments } = rowsOf(request, {
    lead,
    handles,
    contact,
    ownership,
    assembly,
    quiz,
  });
  const outboxId = await insertLead(sql, rows, {
    id: submissionId,
    leadId: lead.id,
    clientId: request.caller.id,
    kind: 'create',
    receivedAt: now,
    body: request.body,
  });
  return {
    kind: 'created',
    lead,
    adPlatform: assembly.block?.block ?? null,
    campaignName: campaign?.name ?? null,
    listing: assembly.listing && { id: assembly.listing.id, name: assembly.listing.referenceNo },
    assignedTo: ownership.owner ? agentView(ownership.owner.agent) : null,
    comments,
    outboxId,
  };
}

function ownershipOf({ enquiry, reference }: IntakeRequest, assembly: Assembly): Ownership {
  const customFields = readAdPlatform(enquiry.adPlatform)?.block.customFields;
  return decideOwnership({
    assignedBy: textOf(enquiry, 'assignedBy'),
    distribution: distributionTypeOf(textOf(enquiry, 'distributionType'), customFields),
    listing: assembly.listing,
    agents: reference.lists.agent,
  });
}

interface Decided {
  assembly: Assembly;
  ownership: Ownership;
  quiz: QuizPlan;
  facts: IntakeFacts;
  handles: Handle[];
  contact: KnownContact | null;
  contactId: string;
  campaignId: string | null;
}

function leadRow(request: IntakeRequest, decided: Decided): LeadRow {
  const { assembly, ownership, quiz, facts, handles, contact } = decided;
  const { reference } = request;
  const funnel = reference.lists.funnel.byId(String(assembly.sent.funnel_id ?? '')) ?? null;
  return newLead({
    leadId: request.newId(),
    contactId: decided.contactId,
    clientId: request.caller.id,
    now: request.now,
    ...request.settings,
    assembly,
    ownership,
    campaignId: decided.campaignId,
    phones: unseenEntries(phonesOf(request), phoneHandle, []),
    emails: unseenEntries(emailsOf(request), emailHandle, []),
    mainFunnel: reference.mainFunnel,
    funnel,
    isPortal: isPortal(request),
    repeatOfLeadId: contact?.olderLeadId ?? null,
    agentEnquiryReason: agentEnquiryReason({
      contact,
      isKnownAgent: facts.isKnownAgent,
      handles,
      competitorDomains: reference.competitorDomains,
    }),
    unresolved: { ...assembly.unresolved, ...ownership.unresolved, ...quiz.unresolved },
  });
}

interface Written {
  lead: LeadRow;
  handles: Handle[];
  contact: KnownContact | null;
  ownership: Ownership;
  assembly: Assembly;
  quiz: QuizPlan;
}

function rowsOf(request: IntakeRequest, written: Written) {
  const { lead, handles, contact, ownership, assembly, quiz } = written;
  const { newId, now, caller, enquiry } = request;
  const submissionId = newId();
  const owner = { leadId: lead.id, submissionId, now, newId };
  const comments = enquiry.comments ? readComments(enquiry.comments, new Set()) : null;
  const rows: LeadRows = {
    contacts: contact ? [] : [contactRow(lead)],
    leads: [lead],
    lead_access: [{ lead_id: lead.id, client_id: caller.id }],
    ...handleRows(handles, lead, { founding: true }),
    comments: commentRows(comments?.added ?? [], owner),
    timeline_notes: [
      noteRow({
        ...owner,
        kind: 'created',
        clientId: caller.id,
        text: `Created by ${caller.name}.`,
      }),
    ],
    ad_platform_blocks: assembly.block ? [blockRow(assembly.block, owner)] : [],
    ...quizRows(quiz, owner),
    assignments: ownership.owner ? [assignmentRow(lead, ownership.owner, newId())] : [],
    webhook_events: eventsOf(request, written).map((event) => eventRow(event, lead, now)),
    lead_outbox: [outboxRow(lead.id, 'created', now)],
  };
  const count = comments && { added: comments.added.length, skipped: comments.skipped };
  return { rows, submissionId, comments: count };
}

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

/** The announcements are written with the facts that they tell. */
function eventsOf(
  { reference, now, newId }: IntakeRequest,
  { lead, ownership }: Written,
): LeadEvent[] {
  const assignedTo = ownership.owner ? agentView(ownership.owner.agent) : null;
  const integrationRef = lead.integration_ref as string | null;
  const created = leadCreated(
    { id: `evt_${newId()}`, sequence: 1, at: now },
    {
      leadId: lead.id,
      contactId: lead.contact_id,
      createdAt: lead.created_at,
      status: lead.assignment_status,
      source: reference.lists.source.named(lead.source_id as string | null),
      integrationRef,
      isRepeatLead: lead.is_repeat_lead,
      repeatOfLeadId: lead.repeat_of_lead_id,
      isAgentEnquiry: lead.is_agent_enquiry,
      needsIntakeReview: lead.intake_unresolved !== null,
      assignedTo,
    },
  );
  if (!assignedTo) return [created];
  const assigned = leadAssigned(
    { id: `evt_${newId()}`, sequence: 2, at: now },
    {
      leadId: lead.id,
      status: 'assigned',
      agent: assignedTo,
      assignedAt: lead.created_at,
      previousAgentId: null,
      integrationRef,
    },
  );
  return [created, assigned];
}
