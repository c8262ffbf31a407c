import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { agentEnquiryReason } from '../../domain/leads/agent-enquiry.ts';
import {
  type AdPlatformBlock,
  campaignKey,
  namesCampaign,
} from '../../domain/leads/ad-platform.ts';
import {
  buildColumns,
  type LeadColumns,
  type LeadColumnsFacts,
  sourceIdOf,
} from '../../domain/leads/column-precedence.ts';
import { type CommentCount, readComments } from '../../domain/leads/comments.ts';
import { newEntries } from '../../domain/leads/contact-points.ts';
import { type Enquiry, sentText } from '../../domain/leads/enquiry.ts';
import {
  decideLeadChange,
  type LeadChange,
  type LeadChangeKind,
} from '../../domain/leads/lead-change.ts';
import { resolvedSource } from '../../domain/leads/lookup-semantics.ts';
import { describeMerge, type MatchedOn, type Merge } from '../../domain/leads/merge.ts';
import { readQuiz } from '../../domain/quiz/answer.ts';
import { type MappedFields, mapAnswersToFields } from '../../domain/quiz/field-mapping.ts';
import { isRetriedQuiz, planQuiz, type QuizPlan } from '../../domain/quiz/quiz-plan.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { Config } from '../../platform/config.ts';
import { canSee, type Reader } from '../../store/assignment/read-assignment.ts';
import type { Database, Sql } from '../../store/db/database.ts';
import {
  type EnquiryFacts,
  INTAKE_RETRIES,
  type LeadChangeInputs,
  lockKeys,
  lockPeopleAndLead,
  planQuizUnderLock,
  readLeadChangeInputs,
} from '../../store/leads/intake-facts.ts';
import { buildChangeRows, type ChangedLead, type Submission } from '../../store/leads/lead-rows.ts';
import { assignmentStateOf, type LeadRow, payloadOf } from '../../store/leads/lead-json.ts';
import {
  type Campaign,
  ensureCampaign,
  isNewCampaign,
  wasCommitted,
} from '../../store/leads/write-lead.ts';
import { changeLeads, type Decided } from '../../app/assignment/change-leads.ts';
import { ApiError, notFound } from '../errors.ts';

export interface IntakeRequest {
  enquiry: Enquiry;
  /** Its id shows whether a commit happened whose response was lost. */
  submission: Omit<Submission, 'kind'>;
  caller: { id: string; name: string };
  reference: Reference;
  now: Date;
  newId: () => string;
  settings: Pick<Config, 'mergeWindowMs' | 'followUpMs'>;
}

export interface SubmissionOutcome extends LeadChange {
  leadId: string;
  assignedTo: AgentView | null;
  comments: CommentCount | null;
  outboxId: number | null;
}

/** If the connection is lost during the commit, the submission shows whether it happened. */
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
        outcome = await applySubmission(sql, request, leadId, null);
      },
      { retries: INTAKE_RETRIES },
    );
  } catch (error) {
    const lock = (sql: Sql) => lockPeopleAndLead(sql, lockKeys(request.enquiry), leadId);
    const isStored = await wasCommitted(database, error, [request.submission.id], lock);
    if (!isStored) return applyUpdate(database, request, leadId, reader);
  }
  if (!outcome) throw new ApiError('NOT_FOUND', ERASED);
  return outcome;
}

const ERASED = 'The person of this lead was erased. The lead takes no more details.';

/** Null after an erasure. Throws if the lead does not exist. */
export async function applySubmission(
  sql: Sql,
  request: IntakeRequest,
  leadId: string,
  matchedOn: MatchedOn | null,
): Promise<SubmissionOutcome | null> {
  const { now, newId } = request;
  const { outcomes, outboxIds } = await changeLeads({ now: () => now, newId }, sql, {
    now,
    lock: (sql) => lockAndResolve(sql, request, leadId, matchedOn),
    decide: (lead) => decideSubmission(request, lead, matchedOn),
  });
  const outcome = outcomes.get(leadId);
  return outcome ? { ...outcome, outboxId: outboxIds.get(leadId) ?? null } : null;
}

interface LeadToSubmit extends LeadChangeInputs {
  enquiry: Enquiry;
  resolved: ResolvedEnquiry;
}

async function lockAndResolve(
  sql: Sql,
  request: IntakeRequest,
  leadId: string,
  matchedOn: MatchedOn | null,
): Promise<LeadToSubmit[]> {
  const kind: LeadChangeKind = matchedOn ? 'merge' : 'update';
  await lockPeopleAndLead(sql, lockKeys(request.enquiry), leadId);
  const { keys, contactPoints } = request.enquiry;
  const inputs = await readLeadChangeInputs(sql, leadId, keys, contactPoints, request.caller.id);
  if (!inputs) throw new Error('The lead to change is gone.');
  const { lead, currentListing } = inputs;
  if (lead.erased_at) return [];
  const isRetry = isRetriedQuiz(request.enquiry.quiz?.read.answers ?? [], inputs.quizAnswers);
  const mapped = isRetry ? withoutQuizFields(request, lead) : request.enquiry;
  const enquiry = withoutOverruledCampaign(mapped, inputs);
  const supersededQuiz = supersededValues(request, inputs);
  const start = { kind, current: payloadOf(lead), currentListing, supersededQuiz };
  const resolved = await resolveEnquiry(sql, { ...request, enquiry }, inputs, start);
  const quiz = isRetry ? { ...resolved.quiz, answers: [], questions: [] } : resolved.quiz;
  return [{ ...inputs, enquiry, resolved: { ...resolved, quiz } }];
}

function decideSubmission(
  request: IntakeRequest,
  inputs: LeadToSubmit,
  matchedOn: MatchedOn | null,
): Decided<Omit<SubmissionOutcome, 'outboxId'>> {
  const { caller, reference, now, newId } = request;
  const { lead, enquiry, resolved, owner: assignedTo } = inputs;
  const columns = { ...resolved.built.columns, ...agentMark(reference, inputs) };
  const built = { ...resolved.built, columns };
  const match = matchedOn && { matchedOn, assignedTo };
  const merge = match && describeMerge(request.enquiry, reference, built.listing, match);
  const changed = decideChange(merge, enquiry, inputs, { ...resolved, built });
  const kind: LeadChangeKind = matchedOn ? 'merge' : 'update';
  const context = { leadId: lead.id, submission: { ...request.submission, kind }, now, newId };
  const { leadChange, comments } = changed;
  return {
    outcome: { ...leadChange, leadId: lead.id, assignedTo, comments: comments.count },
    cause: leadChange.cause,
    because: { clientId: caller.id },
    ...buildChangeRows(changed, context, caller),
  };
}

/** An agent may have edited a field since. Sub-sources need the source of the quiz (Lookup semantics, 5). */
function withoutQuizFields({ enquiry, reference }: IntakeRequest, lead: LeadRow): Enquiry {
  if (!enquiry.quiz) return enquiry;
  const values = new Map(enquiry.values);
  const ownSource = sourceIdOf(payloadOf(lead));
  const isNamedByQuiz = !values.has('source') && values.get('subSource') !== null;
  if (isNamedByQuiz && resolvedSource(enquiry, reference, ownSource) !== ownSource)
    values.delete('subSource');
  const fields = { values: new Map(), alternatives: new Map(), openEnds: [] };
  return { ...enquiry, values, quiz: { ...enquiry.quiz, fields } };
}

/** What an open end of the new answers may replace (update rule 6). */
function supersededValues(
  { enquiry, reference }: IntakeRequest,
  { quizAnswers }: LeadChangeInputs,
): MappedFields['values'] {
  if (!enquiry.quiz?.fields.openEnds.length) return new Map();
  const { quizKey } = enquiry.quiz.read;
  return mapAnswersToFields(readQuiz({ quizKey, answers: quizAnswers }), reference.quizFields)
    .values;
}

/** The campaign of a stored block wins over the field, as it did when the block came. */
function withoutOverruledCampaign(enquiry: Enquiry, { lead, storedBlock }: LeadChangeInputs) {
  if (storedBlock?.leadId !== lead.id || !namesCampaign(storedBlock.block)) return enquiry;
  const values = new Map(enquiry.values);
  values.delete('advertisingCampaign');
  return { ...enquiry, values };
}

export interface ResolvedEnquiry {
  built: LeadColumns;
  quiz: QuizPlan;
  block: AdPlatformBlock | null;
  campaign: Campaign | null;
}

type Start = Pick<LeadColumnsFacts, 'kind' | 'current' | 'currentListing' | 'supersededQuiz'>;

export const NO_LEAD: Start = {
  kind: 'create',
  current: {},
  currentListing: null,
  supersededQuiz: new Map(),
};

export async function resolveEnquiry(
  sql: Sql,
  request: IntakeRequest,
  facts: EnquiryFacts,
  start: Start,
): Promise<ResolvedEnquiry> {
  const { enquiry, reference } = request;
  const { block, key, known } = campaignOf(enquiry, facts);
  // Locks are taken in one order, in every release: of quizzes, then of campaigns.
  const quiz = await planQuizUnderLock(sql, enquiry.quiz?.read ?? null, facts.quizQuestions);
  const campaign = await ensureCampaign(sql, key, known, request);
  const columnFacts = { ...start, reference, listings: facts.listings, block, campaign };
  return { built: buildColumns(enquiry, columnFacts), quiz, block, campaign };
}

/** Without a statement. Null if the quiz or the advertising campaign is new. */
export function resolveKnownEnquiry(
  { enquiry, reference }: IntakeRequest,
  facts: EnquiryFacts,
  start: Start,
): ResolvedEnquiry | null {
  const { block, key, known } = campaignOf(enquiry, facts);
  const quiz = planQuiz(enquiry.quiz?.read ?? null, facts.quizQuestions);
  if (quiz.questions.length > 0 || isNewCampaign(key, known)) return null;
  const campaign = key && known;
  const columnFacts = { ...start, reference, listings: facts.listings, block, campaign };
  return { built: buildColumns(enquiry, columnFacts), quiz, block, campaign };
}

function campaignOf(enquiry: Enquiry, { storedBlock, campaign }: EnquiryFacts) {
  const block = storedBlock === null ? enquiry.adPlatform : null;
  const isKnown = block === enquiry.adPlatform || !namesCampaign(enquiry.adPlatform?.block);
  const key = campaignKey(block, sentText(enquiry, 'advertisingCampaign'));
  return { block, key, known: isKnown ? campaign : null };
}

/** A mark stays. */
function agentMark({ competitorDomains }: Reference, { lead, known }: LeadChangeInputs) {
  const reason = agentEnquiryReason({ contact: null, ...known, competitorDomains });
  if (lead.is_agent_enquiry || reason === null) return null;
  return { is_agent_enquiry: true, agent_enquiry_reason: reason };
}

function decideChange(
  merge: Merge | null,
  enquiry: Enquiry,
  { lead, contactPoints, knownComments, isHeard }: LeadChangeInputs,
  { built, quiz, block }: ResolvedEnquiry,
): ChangedLead {
  const newPhones = newEntries(enquiry.phones, { entries: lead.lead_phones, contactPoints });
  const newEmails = newEntries(enquiry.emails, { entries: lead.lead_emails, contactPoints });
  const message = merge?.message === lead.initial_inquiry ? null : merge?.message;
  const comments = readComments(enquiry.comments, knownComments, message);
  const leadChange = decideLeadChange({
    merged: merge && merge.enquiry,
    current: payloadOf(lead),
    intakeUnresolved: lead.intake_unresolved,
    assignment: assignmentStateOf(lead),
    built,
    quiz,
    isBlockStored: block !== null,
    newPhones,
    newEmails,
    addedComments: comments.added.length,
  });
  return { merge, isHeard, lead, leadChange, quiz, block, newPhones, newEmails, comments };
}
