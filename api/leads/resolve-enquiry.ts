import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import {
  buildColumns,
  type EnquiryKind,
  type LeadColumns,
  type LeadColumnsFacts,
} from '../../domain/leads/column-precedence.ts';
import {
  type AdPlatformBlock,
  campaignKey,
  type Enquiry,
  namesCampaign,
} from '../../domain/leads/enquiry.ts';
import type { Columns } from '../../domain/leads/fields.ts';
import { planQuiz, type QuizPlan } from '../../domain/quiz/quiz-plan.ts';
import type { Config } from '../../platform/config.ts';
import type { Sql } from '../../store/db/database.ts';
import {
  type Campaign,
  type EnquiryFacts,
  ensureCampaign,
  isNewCampaign,
} from '../../store/leads/intake-facts.ts';
import type { Submission } from '../../store/leads/lead-rows.ts';
import { planQuizUnderLock } from '../../store/quiz/plan-quiz.ts';

/** Everything that one create or update needs beside the database; `newId` makes uuids. */
export interface IntakeRequest {
  enquiry: Enquiry;
  /** The JSON text of the body, stored verbatim. */
  body: string;
  /** `id` is that of the client's row. */
  caller: { id: string; name: string };
  reference: Reference;
  now: Date;
  /** By which the request is found again where the answer to its commit was lost. */
  submissionId: string;
  newId: () => string;
  /** The caller's trace, in which the webhooks and log lines of the lead go on. */
  traceparent: string | null;
  settings: Pick<Config, 'mergeWindowMs' | 'followUpMs'>;
}

/** The request as it is stored. */
export function submissionOf(
  { submissionId, caller, body, traceparent }: IntakeRequest,
  kind: Submission['kind'],
): Submission {
  return { id: submissionId, clientId: caller.id, kind, body, traceparent };
}

/** An enquiry resolved against the lists and the facts, whether it creates a lead or changes one. */
export interface ResolvedEnquiry {
  built: LeadColumns;
  quiz: QuizPlan;
  /** The ad platform's block, where it is to be stored. */
  block: AdPlatformBlock | null;
  campaign: Campaign | null;
}

/** What an enquiry starts from: a lead as it is, or nothing. */
interface Start extends Pick<LeadColumnsFacts, 'currentListing'> {
  kind: EnquiryKind;
  current: Columns;
}

/** The start of a create. */
export const NO_LEAD: Start = { kind: 'create', current: {}, currentListing: null };

/** Null where its quiz or its advertising campaign is new, so that statements have to be run. */
export function resolveKnownEnquiry(
  request: IntakeRequest,
  facts: EnquiryFacts,
  start: Start,
): ResolvedEnquiry | null {
  const quiz = planQuiz(request.enquiry.quiz?.read ?? null, facts.quizQuestions);
  const { key, known } = campaignOf(request, facts);
  if (quiz.questions.length > 0 || isNewCampaign(key, known)) return null;
  return resolve(request, facts, start, { quiz, campaign: key && known });
}

/** Runs statements only where the quiz or the advertising campaign is new. */
export async function resolveEnquiry(
  sql: Sql,
  request: IntakeRequest,
  facts: EnquiryFacts,
  start: Start,
): Promise<ResolvedEnquiry> {
  const { key, known } = campaignOf(request, facts);
  const read = request.enquiry.quiz?.read ?? null;
  const quiz = await planQuizUnderLock(sql, read, facts.quizQuestions);
  const campaign = await ensureCampaign(sql, key, known, request);
  return resolve(request, facts, start, { quiz, campaign });
}

/** The block to store: none that a lead has already, be it this one. */
function blockOf({ enquiry }: IntakeRequest, { storedBlock }: EnquiryFacts) {
  return storedBlock === null ? enquiry.adPlatform : null;
}

function campaignOf(request: IntakeRequest, facts: EnquiryFacts) {
  const { enquiry } = request;
  const block = blockOf(request, facts);
  const isKnown = block === enquiry.adPlatform || !namesCampaign(enquiry.adPlatform?.block);
  return { key: campaignKey(enquiry, block), known: isKnown ? facts.campaign : null };
}

function resolve(
  request: IntakeRequest,
  facts: EnquiryFacts,
  { kind, current, currentListing }: Start,
  { quiz, campaign }: Pick<ResolvedEnquiry, 'quiz' | 'campaign'>,
): ResolvedEnquiry {
  const { enquiry, reference } = request;
  const block = blockOf(request, facts);
  const built = buildColumns(enquiry, {
    ...{ kind, reference, current, currentListing, block },
    listings: facts.listings,
    advertisingCampaignId: campaign?.id ?? null,
  });
  return { built, quiz, block, campaign };
}
