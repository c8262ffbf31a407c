import { isDeepStrictEqual } from 'node:util';
import { readAdPlatform } from '../../domain/lead/ad-platform.ts';
import { assemble, campaignKey, listingKey } from '../../domain/lead/assemble.ts';
import type { Assembly } from '../../domain/lead/assemble.ts';
import { decideAttachment } from '../../domain/lead/attach.ts';
import type { Attachment, AttachmentKind } from '../../domain/lead/attach.ts';
import type { Columns } from '../../domain/lead/columns.ts';
import { readComments } from '../../domain/lead/comments.ts';
import type { CommentOutcome } from '../../domain/lead/comments.ts';
import { textsOf } from '../../domain/lead/enquiry.ts';
import {
  emailHandle,
  handleKey,
  handlesOf,
  phoneHandle,
  unseenEntries,
} from '../../domain/lead/handles.ts';
import { NO_QUIZ } from '../../domain/lead/quiz-plan.ts';
import type { QuizPlan } from '../../domain/lead/quiz-plan.ts';
import type { Sql } from '../../store/database.ts';
import { ensureCampaign } from '../../store/leads/ensure-campaign.ts';
import type { LeadRow } from '../../store/leads/lead-row.ts';
import { lockPeopleAndLead } from '../../store/leads/lock-people.ts';
import { planQuizUnderLock } from '../../store/leads/plan-quiz.ts';
import { readAttachments } from '../../store/leads/read-attachment.ts';
import type { LeadAttachments } from '../../store/leads/read-attachment.ts';
import { addSubmission } from '../../store/leads/write-lead.ts';
import type { LeadRows } from '../../store/leads/write-lead.ts';
import type { CommentCount, IntakeRequest } from './create-lead.ts';
import { blockRow, commentRows, handleRows, noteRow, outboxRow, quizRows } from './rows.ts';

export interface AttachOutcome extends Attachment {
  /** The lead as it stands afterwards. */
  lead: LeadRow;
  comments: CommentCount | null;
  outboxId: number | null;
}

/**
 * Adds an enquiry to a lead that exists: a merged one or an update. Runs in the caller's transaction;
 * the lead is locked first, so two at once lose neither. Throws when the lead is not there.
 */
export async function attachEnquiry(
  sql: Sql,
  request: IntakeRequest,
  leadId: string,
  kind: AttachmentKind,
): Promise<AttachOutcome> {
  const handles = handlesOf(
    textsOf(request.enquiry, 'leadPhones'),
    textsOf(request.enquiry, 'leadEmails'),
  );
  await lockPeopleAndLead(sql, handles, leadId);
  const found = await readFound(sql, request, leadId);
  const seen = await readEnquiry(sql, request, found);
  const attachment = decideAttachment({ kind, ...seen, ...standing(found) });
  const rows = rowsOf(request, kind, found, seen, attachment);
  const outboxId = await addSubmission(sql, rows.rows, {
    id: rows.submissionId,
    leadId,
    clientId: request.caller.id,
    kind,
    receivedAt: request.now,
    body: request.body,
  });
  const lead = { ...found.lead, ...rows.rows.change } as LeadRow;
  return { ...attachment, lead, comments: rows.comments, outboxId };
}

async function readFound(
  sql: Sql,
  { enquiry }: IntakeRequest,
  leadId: string,
): Promise<LeadAttachments> {
  const listing = listingKey(enquiry);
  const block = readAdPlatform(enquiry.adPlatform);
  const campaign = campaignKey(enquiry, block);
  const found = await readAttachments(sql, {
    leadId,
    listingId: listing.id,
    referenceNo: listing.referenceNo,
    platformCampaignId: campaign?.platformCampaignId ?? null,
    campaignNameKey: campaign?.name?.toLowerCase() ?? null,
    adPlatformLeadId: block?.adPlatformLeadId ?? null,
    quizKey: typeof enquiry.quiz?.quizKey === 'string' ? enquiry.quiz.quizKey.trim() : null,
  });
  if (!found) throw new Error('The lead to attach to is gone.');
  return found;
}

function standing({ lead }: LeadAttachments) {
  return {
    current: lead as unknown as Columns,
    intakeUnresolved: lead.intake_unresolved,
    isHeld: lead.owner_id !== null,
  };
}

interface SeenEnquiry {
  assembly: Assembly;
  quiz: QuizPlan;
  campaignId: string | null;
  newPhones: string[];
  newEmails: string[];
  comments: CommentOutcome | null;
  addedComments: number;
}

async function readEnquiry(
  sql: Sql,
  request: IntakeRequest,
  found: LeadAttachments,
): Promise<SeenEnquiry> {
  const { enquiry, reference } = request;
  const planned = await planQuizUnderLock(
    sql,
    enquiry.quiz,
    found.quizQuestions,
    reference.quizFields,
  );
  const quiz = isRepeatedQuiz(planned, found)
    ? { ...NO_QUIZ, answered: planned.answered }
    : planned;
  const assembly = assemble(enquiry, {
    reference,
    quiz: quiz.mapped,
    listings: found.listings,
    isBlockHeld: found.blockHolder !== null || found.hasBlock,
    current: found.lead as unknown as Columns,
  });
  const key = campaignKey(enquiry, assembly.block);
  const campaign = await ensureCampaign(sql, key, found.campaign, request);
  const comments = enquiry.comments
    ? readComments(enquiry.comments, new Set(found.externalIds))
    : null;
  return {
    assembly,
    quiz,
    campaignId: campaign?.id ?? null,
    newPhones: unseenEntries(textsOf(enquiry, 'leadPhones'), phoneHandle, found.handles),
    newEmails: unseenEntries(textsOf(enquiry, 'leadEmails'), emailHandle, found.handles),
    comments,
    addedComments: comments?.added.length ?? 0,
  };
}

/** The very answers that stand already: a retry, which changes nothing (update rule 6). */
function isRepeatedQuiz(quiz: QuizPlan, found: LeadAttachments): boolean {
  return isDeepStrictEqual(
    quiz.answers.map((answer) => answer.raw),
    found.quizAnswers,
  );
}

function rowsOf(
  request: IntakeRequest,
  kind: AttachmentKind,
  { lead, handles: known }: LeadAttachments,
  seen: SeenEnquiry,
  attachment: Attachment,
) {
  const { newId, now, caller } = request;
  const submissionId = newId();
  const context = { leadId: lead.id, submissionId, now, newId };
  const knownKeys = new Set(known.map(handleKey));
  const added = handlesOf(seen.newPhones, seen.newEmails).filter(
    (handle) => !knownKeys.has(handleKey(handle)),
  );
  const rows: LeadRows & { change?: object } = {
    lead_access: kind === 'merge' ? [{ lead_id: lead.id, client_id: caller.id }] : [],
    ...handleRows(added, lead, { founding: false }),
    comments: commentRows(seen.comments?.added ?? [], context),
    timeline_notes: notesOf(request, kind, lead, attachment),
    ad_platform_blocks: seen.assembly.block ? [blockRow(seen.assembly.block, context)] : [],
    ...quizRows(seen.quiz, context),
    lead_outbox: attachment.rerouted ? [outboxRow(lead.id, 'rerouted', now)] : [],
    ...changeOf(lead, attachment, now),
  };
  const comments: CommentCount | null = seen.comments && {
    added: seen.comments.added.length,
    skipped: seen.comments.skipped,
  };
  return { rows, submissionId, comments };
}

function changeOf(lead: LeadRow, attachment: Attachment, now: Date): { change?: object } {
  const hasNewFlags = !isDeepStrictEqual(attachment.intakeUnresolved, lead.intake_unresolved);
  if (attachment.updatedFields.length === 0 && !hasNewFlags) return {};
  return {
    change: {
      ...attachment.change,
      intake_unresolved: attachment.intakeUnresolved,
      updated_at: now.toISOString(),
      ...(attachment.rerouted ? nextRound(lead) : {}),
    },
  };
}

/** A new round with the new details: whatever still runs for the old ones comes to nothing. */
function nextRound(lead: LeadRow): object {
  return { assignment_status: 'pending', pool_id: null, round: lead.round + 1, moves: 0 };
}

function notesOf(
  request: IntakeRequest,
  kind: AttachmentKind,
  lead: LeadRow,
  attachment: Attachment,
) {
  const { caller, now, newId } = request;
  const fields = attachment.updatedFields;
  if (kind === 'update' && fields.length === 0) return [];
  const what = fields.length > 0 ? fields.join(', ') : 'nothing new';
  const text =
    kind === 'update'
      ? `${caller.name} updated ${what}.${attachment.rerouted ? ' Sent back through assignment.' : ''}`
      : `An enquiry from ${caller.name} was merged into this lead: ${what}.`;
  return [
    noteRow({
      leadId: lead.id,
      now,
      newId,
      kind: kind === 'merge' ? 'merged' : 'updated',
      clientId: caller.id,
      text,
      data: { fields },
    }),
  ];
}
