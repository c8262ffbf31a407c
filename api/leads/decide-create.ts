import { blockText } from '../../domain/leads/ad-platform.ts';
import { contactPointsOfEnquiry } from '../../domain/leads/enquiry.ts';
import { resolvedSource } from '../../domain/leads/lookup-semantics.ts';
import { mergeTarget, type MatchedOn } from '../../domain/leads/merge-window.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { TransactionSql } from '../../store/db/database.ts';
import { lockKeys } from '../../store/leads/lock-people.ts';
import type { IntakeFacts } from '../../store/leads/read-intake.ts';
import {
  countComments,
  type CommentCount,
  type LeadRecordFacts,
} from '../responses/lead-record.ts';
import { applySubmission } from './apply-submission.ts';
import { decideNewLead, type DecidedLead } from './decide-new-lead.ts';
import type { IntakeRequest } from './intake-request.ts';
import { NO_LEAD, resolveEnquiry, resolveKnownEnquiry } from './resolve-enquiry.ts';

export type CreateOutcome = Created | Merged;

interface Created {
  kind: 'created';
  record: LeadRecordFacts;
  comments: CommentCount | null;
  outboxId: number | null;
}

interface Merged {
  kind: 'merged';
  leadId: string;
  matchedOn: MatchedOn;
  assignedTo: AgentView | null;
  comments: CommentCount | null;
}

/** A create with what its enquiry alone decides. */
export type Create = ReturnType<typeof prepareCreate>;

export function prepareCreate(request: IntakeRequest) {
  const { enquiry } = request;
  const contactPoints = contactPointsOfEnquiry(enquiry);
  const named = lockKeys(enquiry, contactPoints);
  // Where nobody is named, the submission's own lock shows the end of its transaction.
  const keys = named.length > 0 ? named : [`submission:${request.submissionId}`];
  return { request, contactPoints, keys, isPortal: comesFromPortal(request) };
}

/** Enquiries from property portals never merge (merge rule 2). */
function comesFromPortal({ enquiry, reference }: IntakeRequest): boolean {
  const sourceId = resolvedSource(enquiry, reference, null);
  return sourceId !== null && reference.lists.source.byId(sourceId)?.portal === true;
}

export interface Decided {
  outcome: CreateOutcome;
  /** The lead to insert; null for a merge, which is written already. */
  newLead: { request: IntakeRequest; lead: DecidedLead } | null;
}

/** A merge, a new quiz and a new advertising campaign take statements of their own. */
export async function decideAlone(
  sql: TransactionSql,
  create: Create,
  facts: IntakeFacts,
): Promise<Decided> {
  const { request } = create;
  const target = mergeTarget(create.contactPoints, facts.openLeads, create.isPortal);
  if (!target) {
    const resolved = await resolveEnquiry(sql, request, facts, NO_LEAD);
    return toCreated(request, decideNewLead(request, { ...create, facts }, resolved));
  }
  const merged = await applySubmission(sql, request, target.leadId, 'merge');
  // An erasure ends the lead's claim on its phones and e-mails under the locks that this transaction holds.
  if (!merged) throw new Error('A lead that was erased still takes merges.');
  const { assignedTo, comments } = merged;
  return { outcome: { kind: 'merged', ...target, assignedTo, comments }, newLead: null };
}

/** Runs no statement; null where that does not do. */
export function decideInGroup(
  _sql: TransactionSql,
  create: Create,
  facts: IntakeFacts,
): Decided | null {
  const { request } = create;
  if (facts.hasLockedWindow) return null;
  if (mergeTarget(create.contactPoints, facts.openLeads, create.isPortal)) return null;
  const resolved = resolveKnownEnquiry(request, facts, NO_LEAD);
  return resolved && toCreated(request, decideNewLead(request, { ...create, facts }, resolved));
}

function toCreated(request: IntakeRequest, lead: DecidedLead): Decided {
  const record = toRecordFacts(request, lead);
  const comments = countComments(lead.comments);
  return {
    outcome: { kind: 'created', record, comments, outboxId: null },
    newLead: { request, lead },
  };
}

function toRecordFacts({ enquiry, reference }: IntakeRequest, newLead: DecidedLead) {
  const { lead, block, campaign, listing, ownership, transition } = newLead;
  return {
    lead,
    reference,
    adPlatform: block?.block ?? null,
    quiz: enquiry.quiz?.block ?? null,
    campaignName: campaign?.name ?? blockText(block?.block, 'adPlatformCampaignId'),
    listing: listing && { id: listing.id, name: listing.referenceNo },
    assignedBy: ownership.named && { id: ownership.named.id, name: ownership.named.name },
    assignedTo: transition.holder.kind === 'agent' ? transition.holder.agent : null,
  };
}
