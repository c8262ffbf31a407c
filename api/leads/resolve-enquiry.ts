import type { AdPlatformBlock } from '../../domain/leads/ad-platform.ts';
import { campaignKey } from '../../domain/leads/advertising-campaign.ts';
import {
  buildColumns,
  type LeadColumns,
  type EnquiryKind,
} from '../../domain/leads/build-columns.ts';
import type { Columns } from '../../domain/leads/columns.ts';
import { planQuiz, type QuizPlan } from '../../domain/quiz/quiz-plan.ts';
import type { Sql } from '../../store/db/database.ts';
import {
  ensureCampaign,
  isNewCampaign,
  type Campaign,
  type EnquiryFacts,
} from '../../store/leads/enquiry-facts.ts';
import { planQuizUnderLock } from '../../store/quiz/plan-quiz.ts';
import type { IntakeRequest } from './intake-request.ts';

/** An enquiry resolved against the lists and the facts, whether it creates a lead or changes one. */
export interface ResolvedEnquiry {
  built: LeadColumns;
  quiz: QuizPlan;
  /** The ad platform's block, where it is to be stored. */
  block: AdPlatformBlock | null;
  campaign: Campaign | null;
}

type Start = { kind: EnquiryKind; current: Columns };

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

/** The block to store: none that another lead has already. */
function blockOf({ enquiry }: IntakeRequest, { blockHolder }: EnquiryFacts) {
  return blockHolder === null ? enquiry.adPlatform : null;
}

function campaignOf(request: IntakeRequest, facts: EnquiryFacts) {
  const { enquiry } = request;
  const block = blockOf(request, facts);
  const known = block === enquiry.adPlatform ? facts.campaign : null;
  return { key: campaignKey(enquiry, block), known };
}

function resolve(
  request: IntakeRequest,
  facts: EnquiryFacts,
  { kind, current }: Start,
  { quiz, campaign }: Pick<ResolvedEnquiry, 'quiz' | 'campaign'>,
): ResolvedEnquiry {
  const { enquiry, reference } = request;
  const block = blockOf(request, facts);
  const built = buildColumns(enquiry, {
    ...{ kind, reference, current, block },
    listings: facts.listings,
    advertisingCampaignId: campaign?.id ?? null,
  });
  return { built, quiz, block, campaign };
}
