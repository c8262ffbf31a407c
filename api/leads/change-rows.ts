import { isDeepStrictEqual } from 'node:util';
import type { AdPlatformBlock } from '../../domain/leads/ad-platform.ts';
import type { Attachment, AttachmentKind } from '../../domain/leads/lead-change.ts';
import type { CommentOutcome } from '../../domain/leads/comments.ts';
import { contactPointsOf } from '../../domain/leads/contact-points.ts';
import type { QuizPlan } from '../../domain/leads/quiz-plan.ts';
import type { LeadRow } from '../../store/leads/lead-row.ts';
import type { LeadAttachments } from '../../store/leads/read-lead-change.ts';
import type { LeadRows } from '../../store/leads/lead-tables.ts';
import { noteRow } from '../../store/leads/timeline-rows.ts';
import type { IntakeRequest } from './request.ts';
import {
  blockRows,
  commentRows,
  contactPointRows,
  outboxRow,
  quizRows,
  takesMerges,
} from './rows.ts';

export interface AttachmentParts {
  kind: AttachmentKind;
  found: LeadAttachments;
  submissionId: string;
  attachment: Attachment;
  quiz: QuizPlan;
  block: AdPlatformBlock | null;
  newPhones: readonly string[];
  newEmails: readonly string[];
  comments: CommentOutcome | null;
}

/** What a merged enquiry or an update adds to a lead, and how it changes the lead's own row. */
export function attachmentRows(
  request: IntakeRequest,
  parts: AttachmentParts,
): LeadRows & { change?: object } {
  const { newId, now, caller } = request;
  const { kind, found, attachment } = parts;
  const { lead } = found;
  const context = { leadId: lead.id, submissionId: parts.submissionId, now, newId };
  const added = contactPointsOf(parts.newPhones, parts.newEmails);
  return {
    lead_access: kind === 'merge' ? [{ lead_id: lead.id, client_id: caller.id }] : [],
    ...contactPointRows(added, lead, { founding: false }),
    comments: commentRows(parts.comments?.added ?? [], context),
    timeline_notes: notesOf(request, parts),
    ad_platform_blocks: blockRows(parts.block, context),
    ...quizRows(parts.quiz, context),
    lead_outbox: isNews(lead, attachment) ? [outboxRow(lead.id, eventOf(attachment), now)] : [],
    ...changeOf(lead, attachment, now),
  };
}

export function changeOf(lead: LeadRow, attachment: Attachment, now: Date): { change?: object } {
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

/** Whether the lead's workflow has to hear of it: to route the lead, or to show on its page what is true now. */
export function isNews(lead: LeadRow, attachment: Attachment): boolean {
  return attachment.rerouted || (hasOpenRun(lead) && changesPage(lead, attachment));
}

/** What the workflow hears of it as. */
export function eventOf({ rerouted }: Attachment): 'rerouted' | 'updated' {
  return rerouted ? 'rerouted' : 'updated';
}

/** One that completed keeps what it ended with. */
function hasOpenRun(lead: LeadRow): boolean {
  return takesMerges(lead) || lead.follow_up_due_at !== null;
}

/** The source and the need of a review are what operators filter by. */
function changesPage(lead: LeadRow, { updatedFields, intakeUnresolved }: Attachment): boolean {
  const changesReview = (intakeUnresolved === null) !== (lead.intake_unresolved === null);
  return changesReview || updatedFields.includes('sourceId');
}

/** A new round with the new details: whatever still runs for the old ones comes to nothing. */
function nextRound(lead: LeadRow): object {
  return { assignment_status: 'pending', pool_id: null, round: lead.round + 1, moves: 0 };
}

/** Every update that changes something, and every merged enquiry, leaves a note (update rule 9). */
function notesOf(request: IntakeRequest, { kind, found, attachment }: AttachmentParts) {
  const { caller, now, newId } = request;
  const fields = attachment.updatedFields;
  if (kind === 'update' && fields.length === 0) return [];
  const note = { leadId: found.lead.id, now, newId, clientId: caller.id, data: { fields } };
  return kind === 'update'
    ? [noteRow({ ...note, kind: 'updated', text: updateText(caller.name, attachment) })]
    : [noteRow({ ...note, kind: 'merged', text: mergeText(caller.name, fields) })];
}

function updateText(integration: string, { updatedFields, rerouted }: Attachment): string {
  const ending = rerouted ? ' Sent back through assignment.' : '';
  return `${integration} updated ${updatedFields.join(', ')}.${ending}`;
}

function mergeText(integration: string, fields: readonly string[]): string {
  const what = fields.length > 0 ? fields.join(', ') : 'nothing new';
  return `An enquiry from ${integration} was merged into this lead: ${what}.`;
}
