import { decideLeadChange } from '../../domain/leads/lead-change.ts';
import type { LeadChange, LeadChangeKind } from '../../domain/leads/lead-change.ts';
import type { Columns } from '../../domain/leads/columns.ts';
import { readComments } from '../../domain/leads/comments.ts';
import { textsOf } from '../../domain/leads/enquiry.ts';
import type { Enquiry } from '../../domain/leads/enquiry.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import { normaliseEmail, normalisePhone, newEntries } from '../../domain/leads/contact-points.ts';
import { NO_QUIZ } from '../../domain/quiz/quiz-plan.ts';
import { isRetriedQuiz } from '../../domain/quiz/supersede.ts';
import type { Sql } from '../../store/db/database.ts';
import { assignmentStateOf } from '../../store/assignment/record-transition.ts';
import type { LeadRow } from '../../store/leads/lead-tables.ts';
import { lockPeopleAndLead } from '../../store/leads/lock-people.ts';
import { readLeadChangeInputs } from '../../store/leads/read-lead-change.ts';
import type { LeadChangeInputs } from '../../store/leads/read-lead-change.ts';
import { addSubmission } from '../../store/leads/write-lead.ts';
import { buildChangeRows } from './change-rows.ts';
import { lockKeys, contactPointsOfEnquiry, lookupKeys } from './lookup-keys.ts';
import type { CommentCount } from '../responses/lead-record.ts';
import type { IntakeRequest } from './request.ts';
import { resolveEnquiry } from './resolve-enquiry.ts';

export interface SubmissionOutcome extends LeadChange {
  leadId: string;
  /** The agent who holds the lead. */
  assignedTo: AgentView | null;
  comments: CommentCount | null;
  outboxId: number | null;
}

/**
 * Adds an enquiry to a lead that exists: a merged one or an update. Runs in the caller's transaction;
 * the lead is locked first, so two at once lose neither. Throws when the lead is not there.
 */
export async function applySubmission(
  sql: Sql,
  request: IntakeRequest,
  leadId: string,
  kind: LeadChangeKind,
): Promise<SubmissionOutcome> {
  const { enquiry, now, newId, caller, body } = request;
  await lockPeopleAndLead(sql, lockKeys(enquiry, contactPointsOfEnquiry(enquiry)), leadId);
  const found = await readLeadChangeInputs(sql, leadId, lookupKeys(enquiry));
  if (!found) throw new Error('The lead to change is gone.');
  const parts = await partsOf(sql, request, found, kind);
  const submission = { id: newId(), leadId, clientId: caller.id };
  const rows = buildChangeRows(request, { kind, found, submissionId: submission.id, ...parts });
  const outboxId = await addSubmission(sql, rows, { ...submission, kind, receivedAt: now, body });
  const { leadChange, comments } = parts;
  const count = comments && { added: comments.added.length, skipped: comments.skipped };
  return {
    ...leadChange,
    leadId: found.lead.id,
    assignedTo: found.owner,
    comments: count,
    outboxId,
  };
}

async function partsOf(
  sql: Sql,
  request: IntakeRequest,
  found: LeadChangeInputs,
  kind: LeadChangeKind,
) {
  const sentAnswers = request.enquiry.quiz?.read.answers ?? [];
  const isRetry = isRetriedQuiz(sentAnswers, found.quizAnswers);
  const enquiry = isRetry ? withoutQuizFields(request.enquiry) : request.enquiry;
  const current = payloadOf(found.lead);
  const settled = await resolveEnquiry(sql, { ...request, enquiry }, found, { kind, current });
  const quiz = isRetry
    ? { ...settled.quiz, answers: NO_QUIZ.answers, questions: NO_QUIZ.questions }
    : settled.quiz;
  const newPhones = newEntries(textsOf(enquiry, 'leadPhones'), normalisePhone, found.contactPoints);
  const newEmails = newEntries(textsOf(enquiry, 'leadEmails'), normaliseEmail, found.contactPoints);
  const comments = enquiry.comments && readComments(enquiry.comments, new Set(found.externalIds));
  const leadChange = decideLeadChange({
    ...{ kind, current, quiz, newPhones, newEmails, built: settled.built },
    intakeUnresolved: found.lead.intake_unresolved,
    assignment: assignmentStateOf(found.lead),
    isBlockStored: settled.block !== null,
    addedComments: comments?.added.length ?? 0,
  });
  return { leadChange, quiz, block: settled.block, newPhones, newEmails, comments };
}

/** The row's columns of the payload; its flags are no column of it. */
export function payloadOf({ intake_unresolved: _flags, ...columns }: LeadRow): Columns {
  return columns as Columns;
}

/** A retried quiz fills no field: an agent may have written into it since. */
function withoutQuizFields(enquiry: Enquiry): Enquiry {
  const fields = { values: new Map(), alternatives: new Map() };
  return { ...enquiry, quiz: enquiry.quiz && { ...enquiry.quiz, fields } };
}
