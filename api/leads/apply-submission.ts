import { sourceIdOf } from '../../domain/leads/column-precedence.ts';
import { readComments } from '../../domain/leads/comments.ts';
import { newEntries } from '../../domain/leads/contact-points.ts';
import {
  contactPointsOfEnquiry,
  type Enquiry,
  lookupKeys,
  namesCampaign,
  textsOf,
} from '../../domain/leads/enquiry.ts';
import {
  decideLeadChange,
  type LeadChange,
  type LeadChangeKind,
} from '../../domain/leads/lead-change.ts';
import { resolvedSource } from '../../domain/leads/lookup-semantics.ts';
import { isRetriedQuiz } from '../../domain/quiz/quiz-plan.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import { canSee, type Reader } from '../../store/assignment/read-assignment.ts';
import type { Database, Sql } from '../../store/db/database.ts';
import { type LeadChangeInputs, readLeadChangeInputs } from '../../store/leads/intake-facts.ts';
import { buildChangeRows, type ChangedLead } from '../../store/leads/lead-rows.ts';
import { assignmentStateOf, payloadOf } from '../../store/leads/lead-tables.ts';
import {
  INTAKE_RETRIES,
  lockKeys,
  lockPeopleAndLead,
  wasCommitted,
} from '../../store/leads/lock-people.ts';
import { changeLead } from '../../store/leads/write-lead.ts';
import { ApiError, notFound } from '../errors.ts';
import { type CommentCount, countComments } from '../responses/lead-record.ts';
import {
  type IntakeRequest,
  type ResolvedEnquiry,
  resolveEnquiry,
  submissionOf,
} from './resolve-enquiry.ts';

export interface SubmissionOutcome extends LeadChange {
  leadId: string;
  /** The agent who holds the lead. */
  assignedTo: AgentView | null;
  comments: CommentCount | null;
  outboxId: number | null;
}

/**
 * Adds an enquiry to an existing lead: a merged one or an update. Runs in the caller's transaction; the
 * lead is locked first, so that of two at once neither is lost. Null for a lead whose person was erased: it takes
 * nothing more. Throws when the lead does not exist.
 */
export async function applySubmission(
  sql: Sql,
  request: IntakeRequest,
  leadId: string,
  kind: LeadChangeKind,
): Promise<SubmissionOutcome | null> {
  const { now, newId, caller } = request;
  await lockLead(request, leadId)(sql);
  const inputs = await readLeadChangeInputs(sql, leadId, lookupKeys(request.enquiry));
  if (!inputs) throw new Error('The lead to change is gone.');
  if (inputs.lead.erased_at) return null;
  const enquiry = withoutOverruledCampaign(withoutRetriedQuizFields(request, inputs), inputs);
  const current = payloadOf(inputs.lead);
  const start = { kind, current, currentListing: inputs.currentListing };
  const resolved = await resolveEnquiry(sql, { ...request, enquiry }, inputs, start);
  const changed = decideChange(kind, enquiry, inputs, resolved);
  const context = { leadId, submission: submissionOf(request, kind), now, newId };
  const rows = buildChangeRows(changed, context, caller);
  const outboxId = await changeLead(sql, inputs.lead, rows, now);
  const comments = countComments(changed.comments);
  return { ...changed.leadChange, leadId, assignedTo: inputs.owner, comments, outboxId };
}

/** Takes the locks under which an enquiry changes a lead. */
function lockLead({ enquiry }: IntakeRequest, leadId: string): (sql: Sql) => Promise<void> {
  const keys = lockKeys(enquiry, contactPointsOfEnquiry(enquiry));
  return (sql) => lockPeopleAndLead(sql, keys, leadId);
}

function decideChange(
  kind: LeadChangeKind,
  enquiry: Enquiry,
  inputs: LeadChangeInputs,
  { built, quiz: plan, block }: ResolvedEnquiry,
): ChangedLead {
  const { lead, contactPoints, externalIds } = inputs;
  const quiz = isRetry(enquiry, inputs) ? { ...plan, answers: [], questions: [] } : plan;
  const newPhones = newEntries(textsOf(enquiry, 'leadPhones'), {
    entries: lead.lead_phones,
    contactPoints,
  });
  const newEmails = newEntries(textsOf(enquiry, 'leadEmails'), {
    entries: lead.lead_emails,
    contactPoints,
  });
  const comments = enquiry.comments && readComments(enquiry.comments, new Set(externalIds));
  const leadChange = decideLeadChange({
    ...{ kind, current: payloadOf(lead), quiz, newPhones, newEmails, built },
    intakeUnresolved: lead.intake_unresolved,
    assignment: assignmentStateOf(lead),
    isBlockStored: block !== null,
    addedComments: comments?.added.length ?? 0,
  });
  return { kind, lead, leadChange, quiz, block, newPhones, newEmails, comments };
}

function isRetry({ quiz }: Enquiry, { quizAnswers }: LeadChangeInputs): boolean {
  return isRetriedQuiz(quiz?.read.answers ?? [], quizAnswers);
}

/**
 * A retried quiz fills no field: an agent may have written into it since. Sub-sources of its source are ignored where
 * the lead has another by now, or the quiz's matches none, as when the quiz came (Lookup semantics, 5).
 */
function withoutRetriedQuizFields(
  { enquiry, reference }: IntakeRequest,
  inputs: LeadChangeInputs,
): Enquiry {
  if (!enquiry.quiz || !isRetry(enquiry, inputs)) return enquiry;
  const values = new Map(enquiry.values);
  const ownSource = sourceIdOf(payloadOf(inputs.lead));
  const isNamedByQuiz = !values.has('source') && values.get('subSource') !== null;
  if (isNamedByQuiz && resolvedSource(enquiry, reference, ownSource) !== ownSource)
    values.delete('subSource');
  const fields = { values: new Map(), alternatives: new Map() };
  return { ...enquiry, values, quiz: { ...enquiry.quiz, fields } };
}

/** The campaign of a block that the lead has already wins over the field, as it did when the block came. */
function withoutOverruledCampaign(
  enquiry: Enquiry,
  { lead, storedBlock }: LeadChangeInputs,
): Enquiry {
  if (storedBlock?.leadId !== lead.id || !namesCampaign(storedBlock.block)) return enquiry;
  const values = new Map(enquiry.values);
  values.delete('advertisingCampaign');
  return { ...enquiry, values };
}

const ERASED = 'The person of this lead was erased: it takes no more details.';

/** When the connection is lost during the commit, the submission shows whether it happened. */
export async function applyUpdate(
  database: Database,
  request: IntakeRequest,
  leadId: string,
  reader: Reader,
): Promise<SubmissionOutcome> {
  let outcome: SubmissionOutcome | null = null;
  try {
    await database.transaction(
      async (sql) => {
        if (!(await canSee(sql, leadId, reader))) throw notFound('This lead');
        outcome = await applySubmission(sql, request, leadId, 'update');
      },
      { retries: INTAKE_RETRIES },
    );
  } catch (error) {
    const lock = lockLead(request, leadId);
    const isStored = await wasCommitted(database, error, [request.submissionId], lock);
    if (!isStored) return applyUpdate(database, request, leadId, reader);
  }
  if (!outcome) throw new ApiError('NOT_FOUND', ERASED);
  return outcome;
}
