import type { AdPlatformBlock } from '../../domain/leads/ad-platform.ts';
import type { Comment } from '../../domain/leads/comments.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { QuizPlan } from '../../domain/quiz/quiz-plan.ts';
import type { LeadRow } from '../../store/leads/lead-tables.ts';
import { OUTBOX_LEASE_MS } from '../../store/leads/outbox.ts';
import { storedQuizKey } from '../../domain/quiz/supersede.ts';

/** How what was decided looks as rows; nothing is decided here. */

export interface RowContext {
  leadId: string;
  submissionId: string;
  now: Date;
  newId: () => string;
}

/** Enquiries of the same person merge into it. Portal leads never take any. */
export function takesMerges(lead: Pick<LeadRow, 'is_portal' | 'merge_window_closed_at'>): boolean {
  return !lead.is_portal && lead.merge_window_closed_at === null;
}

/** A contact point is the lead's and, where nobody holds it yet, the contact's. */
export function contactPointRows(
  contactPoints: readonly ContactPoint[],
  lead: Pick<LeadRow, 'id' | 'contact_id' | 'is_portal' | 'merge_window_closed_at'>,
  { founding }: { founding: boolean },
) {
  const mergeable = takesMerges(lead);
  return {
    contact_points: contactPoints.map((contactPoint) => ({
      ...contactPoint,
      contact_id: lead.contact_id,
    })),
    lead_contact_points: contactPoints.map((contactPoint) => ({
      ...contactPoint,
      lead_id: lead.id,
      founding,
      mergeable,
    })),
  };
}

export function commentRows(comments: readonly Comment[], context: RowContext) {
  return comments.map((comment, position) => ({
    id: context.newId(),
    lead_id: context.leadId,
    submission_id: context.submissionId,
    position,
    occurred_at: (comment.occurredAt ?? context.now).toISOString(),
    text: comment.text,
    author: comment.author,
    channel: comment.channel,
    direction: comment.direction,
    external_id: comment.externalId,
  }));
}

export function blockRows(block: AdPlatformBlock | null, context: RowContext) {
  if (!block) return [];
  return [
    {
      ad_platform_lead_id: block.identity,
      lead_id: context.leadId,
      submission_id: context.submissionId,
      block: block.block,
    },
  ];
}

export function quizRows({ quizKey, answers, questions }: QuizPlan, context: RowContext) {
  const quiz_key = storedQuizKey(quizKey);
  return {
    quiz_questions: questions.map((question) => ({
      ...question,
      quiz_key,
      first_seen_at: context.now.toISOString(),
    })),
    quiz_answers: answers.map((answer) => ({
      ...answer,
      id: context.newId(),
      lead_id: context.leadId,
      submission_id: context.submissionId,
      quiz_key,
    })),
  };
}

/** Leased to the process that writes it, which signals the workflow itself. */
export function outboxRow(leadId: string, event: string, now: Date) {
  const due = new Date(now.getTime() + OUTBOX_LEASE_MS);
  return {
    lead_id: leadId,
    event,
    created_at: now.toISOString(),
    next_attempt_at: due.toISOString(),
  };
}
