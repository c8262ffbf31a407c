import type { AdPlatformBlock } from '../../domain/leads/ad-platform.ts';
import { campaignKey } from '../../domain/leads/advertising-campaign.ts';
import {
  buildColumns,
  type LeadColumns,
  type EnquiryKind,
} from '../../domain/leads/build-columns.ts';
import type { Columns } from '../../domain/leads/columns.ts';
import type { QuizPlan } from '../../domain/quiz/quiz-plan.ts';
import type { Sql } from '../../store/db/database.ts';
import {
  ensureCampaign,
  type Campaign,
  type EnquiryFacts,
} from '../../store/leads/enquiry-facts.ts';
import { planQuizUnderLock } from '../../store/quiz/plan-quiz.ts';
import type { IntakeRequest } from './request.ts';

/** An enquiry resolved against the lists and the facts, whether it creates a lead or changes one. */
export interface ResolvedEnquiry {
  built: LeadColumns;
  quiz: QuizPlan;
  /** The ad platform's block, where it is to be stored. */
  block: AdPlatformBlock | null;
  campaign: Campaign | null;
}

/** Runs statements only where the quiz or the advertising campaign is new. */
export async function resolveEnquiry(
  sql: Sql,
  request: IntakeRequest,
  facts: EnquiryFacts,
  { kind, current }: { kind: EnquiryKind; current: Columns },
): Promise<ResolvedEnquiry> {
  const { enquiry, reference } = request;
  const quiz = await planQuizUnderLock(sql, enquiry.quiz?.read ?? null, facts.quizQuestions);
  const block = facts.blockHolder === null ? enquiry.adPlatform : null;
  const isOfBlock = block === enquiry.adPlatform;
  const known = isOfBlock ? facts.campaign : null;
  const campaign = await ensureCampaign(sql, campaignKey(enquiry, block), known, request);
  const built = buildColumns(enquiry, {
    kind,
    reference,
    current,
    listings: facts.listings,
    block,
    advertisingCampaignId: campaign?.id ?? null,
  });
  return { built, quiz, block, campaign };
}
