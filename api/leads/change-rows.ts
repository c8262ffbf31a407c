import { isDeepStrictEqual } from 'node:util';
import { SENT_BACK } from '../../domain/assignment/assignment-notes.ts';
import type { AdPlatformBlock } from '../../domain/leads/ad-platform.ts';
import type { LeadChange, LeadChangeKind } from '../../domain/leads/lead-change.ts';
import type { CommentOutcome } from '../../domain/leads/comments.ts';
import { contactPointsOf } from '../../domain/leads/contact-points.ts';
import type { QuizPlan } from '../../domain/quiz/quiz-plan.ts';
import { supersededQuizKey } from '../../domain/quiz/supersede.ts';
import { assignmentColumns } from '../../store/assignment/record-transition.ts';
import type { LeadRow } from '../../store/leads/lead-tables.ts';
import type { LeadChangeInputs } from '../../store/leads/read-lead-change.ts';
import type { SubmissionRows } from '../../store/leads/write-lead.ts';
import { buildTimelineRow } from '../../store/leads/timeline-rows.ts';
import type { IntakeRequest } from './request.ts';
import {
  blockRows,
  commentRows,
  contactPointRows,
  outboxRow,
  quizRows,
  takesMerges,
} from './rows.ts';

export interface LeadChangeParts {
  kind: LeadChangeKind;
  found: LeadChangeInputs;
  submissionId: string;
  leadChange: LeadChange;
  quiz: QuizPlan;
  block: AdPlatformBlock | null;
  newPhones: readonly string[];
  newEmails: readonly string[];
  comments: CommentOutcome | null;
}

/** What a merged enquiry or an update adds to a lead, and how it changes the lead's own row. */
export function buildChangeRows(request: IntakeRequest, parts: LeadChangeParts): SubmissionRows {
  const { newId, now, caller } = request;
  const { kind, found, leadChange } = parts;
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
    superseded_quiz_key: supersededQuizKey(parts.quiz),
    lead_outbox: concernsWorkflow(lead, leadChange)
      ? [outboxRow(lead.id, workflowEventOf(leadChange), now)]
      : [],
    ...buildLeadChange(lead, leadChange, now),
  };
}

export function buildLeadChange(
  lead: LeadRow,
  leadChange: LeadChange,
  now: Date,
): { change?: object } {
  const { transition } = leadChange;
  const hasNewFlags = !isDeepStrictEqual(leadChange.intakeUnresolved, lead.intake_unresolved);
  if (leadChange.updatedFields.length === 0 && !hasNewFlags) return {};
  return {
    change: {
      ...leadChange.change,
      intake_unresolved: leadChange.intakeUnresolved,
      updated_at: now.toISOString(),
      ...(transition && assignmentColumns(lead, transition, now)),
    },
  };
}

/** Whether the lead's workflow has to hear of it: to route the lead, or to show on its page what is true now. */
export function concernsWorkflow(lead: LeadRow, leadChange: LeadChange): boolean {
  return leadChange.rerouted || (hasOpenRun(lead) && changesPage(lead, leadChange));
}

/** What the workflow hears of it as. */
export function workflowEventOf({ rerouted }: LeadChange): 'rerouted' | 'updated' {
  return rerouted ? 'rerouted' : 'updated';
}

/** One that completed keeps what it ended with. */
function hasOpenRun(lead: LeadRow): boolean {
  return takesMerges(lead) || lead.follow_up_due_at !== null;
}

/** The source and the need of a review are what operators filter by. */
function changesPage(lead: LeadRow, { updatedFields, intakeUnresolved }: LeadChange): boolean {
  const changesReview = (intakeUnresolved === null) !== (lead.intake_unresolved === null);
  return changesReview || updatedFields.includes('sourceId');
}

/** Every update that changes something, and every merged enquiry, leaves a note (update rule 9). */
function notesOf(request: IntakeRequest, { kind, found, leadChange }: LeadChangeParts) {
  const { caller, now, newId } = request;
  const fields = leadChange.updatedFields;
  if (kind === 'update' && fields.length === 0) return [];
  const note = { leadId: found.lead.id, now, newId, clientId: caller.id, data: { fields } };
  return kind === 'update'
    ? [buildTimelineRow({ ...note, kind: 'updated', text: updateText(caller.name, leadChange) })]
    : [buildTimelineRow({ ...note, kind: 'merged', text: mergeText(caller.name, fields) })];
}

function updateText(integration: string, { updatedFields, rerouted }: LeadChange): string {
  const ending = rerouted ? SENT_BACK : '';
  return `${integration} updated ${updatedFields.join(', ')}.${ending}`;
}

function mergeText(integration: string, fields: readonly string[]): string {
  const what = fields.length > 0 ? fields.join(', ') : 'nothing new';
  return `An enquiry from ${integration} was merged into this lead: ${what}.`;
}
