import type { LeadEvent } from '../../domain/webhooks/event-payloads.ts';
import type { AdPlatformBlock } from '../../domain/leads/ad-platform.ts';
import type { CommentOutcome } from '../../domain/leads/comments.ts';
import type { NoteContent } from '../../domain/leads/timeline-note.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { storedQuizKey, type QuizPlan } from '../../domain/quiz/quiz-plan.ts';
import type { LeadRow } from './lead-tables.ts';
import { OUTBOX_LEASE_MS } from './outbox.ts';

/** The rows that a new lead and a changed one have in common; nothing is decided here. */

export interface RowContext {
  leadId: string;
  submission: Submission;
  now: Date;
  newId: () => string;
}

/** A request as it came, kept for good. */
export interface Submission {
  id: string;
  clientId: string;
  kind: 'create' | 'merge' | 'update';
  /** The JSON text of the body, never parsed and printed again. */
  body: string;
  traceparent: string | null;
}

/** Whether later enquiries of the same person merge into the lead; into a portal lead none does. */
export function acceptsMerges(
  lead: Pick<LeadRow, 'is_portal' | 'merge_window_closed_at'>,
): boolean {
  return !lead.is_portal && lead.merge_window_closed_at === null;
}

/** A contact point belongs to the lead and, unless another contact has it, to the lead's contact. */
export function buildContactPointRows(
  contactPoints: readonly ContactPoint[],
  lead: Pick<LeadRow, 'id' | 'contact_id' | 'is_portal' | 'merge_window_closed_at'>,
  { founding }: { founding: boolean },
) {
  const columns = { lead_id: lead.id, founding, mergeable: acceptsMerges(lead) };
  return {
    contact_points: contactPoints.map((point) => ({ ...point, contact_id: lead.contact_id })),
    lead_contact_points: contactPoints.map((point) => ({ ...point, ...columns })),
  };
}

/** What a submission adds to its lead, a new one or one that it changes. */
export interface Submitted {
  comments: CommentOutcome | null;
  /** The ad platform's block, where it is to be stored. */
  block: AdPlatformBlock | null;
  quiz: QuizPlan;
}

export function buildSubmittedRows({ comments, block, quiz }: Submitted, context: RowContext) {
  const { leadId, submission, now, newId } = context;
  const { id, clientId, kind, body } = submission;
  const origin = { lead_id: leadId, submission_id: id };
  const quiz_key = storedQuizKey(quiz.quizKey);
  const received_at = now.toISOString();
  return {
    submissions: [{ id, lead_id: leadId, client_id: clientId, kind, received_at, body }],
    comments: (comments?.added ?? []).map(({ occurredAt, externalId, ...comment }, position) => ({
      ...{ ...comment, ...origin, id: newId(), position },
      occurred_at: (occurredAt ?? now).toISOString(),
      external_id: externalId,
    })),
    ad_platform_blocks: block
      ? [{ ...origin, ad_platform_lead_id: block.identity, block: block.block }]
      : [],
    quiz_questions: quiz.questions.map((question) => ({
      ...{ ...question, quiz_key, first_seen_at: now.toISOString() },
    })),
    quiz_answers: quiz.answers.map((answer) => ({ ...answer, ...origin, id: newId(), quiz_key })),
  };
}

/** Leased to the process that writes it, which signals the workflow itself. */
export function buildOutboxRow(leadId: string, event: string, now: Date) {
  const next_attempt_at = new Date(now.getTime() + OUTBOX_LEASE_MS).toISOString();
  return { lead_id: leadId, event, created_at: now.toISOString(), next_attempt_at };
}

export type Note = NoteContent & {
  leadId: string;
  now: Date;
  newId: () => string;
  clientId?: string | null;
};

/** A note on the lead's timeline; its text names integrations and fields, never a person. */
export function buildTimelineRow({ clientId = null, ...note }: Note) {
  const { leadId, now, newId, kind, text, data = {} } = note;
  const at = now.toISOString();
  return { id: newId(), lead_id: leadId, at, kind, client_id: clientId, text, data };
}

export function buildEventRow(
  event: LeadEvent,
  lead: Pick<LeadRow, 'id' | 'client_id' | 'traceparent'>,
  now: Date,
) {
  const { id: lead_id, client_id, traceparent } = lead;
  return { ...event, lead_id, client_id, traceparent, created_at: now.toISOString() };
}
