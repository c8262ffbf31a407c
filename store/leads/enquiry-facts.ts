import { campaignKey, type CampaignKey } from '../../domain/leads/advertising-campaign.ts';
import type { Enquiry } from '../../domain/leads/enquiry.ts';
import { listingKey, type Listing } from '../../domain/leads/listing-inheritance.ts';
import { storedQuizKey } from '../../domain/quiz/quiz-plan.ts';
import type { Sql } from '../db/database.ts';

/** The keys by which an enquiry's records are read, whether it creates a lead or changes one. */
export type LookupKeys = ReturnType<typeof lookupKeys>;

export function lookupKeys(enquiry: Enquiry) {
  const listing = listingKey(enquiry);
  const campaign = campaignKey(enquiry, enquiry.adPlatform);
  return {
    listingId: listing.id,
    referenceNo: listing.referenceNo,
    platformCampaignId: campaign?.platformCampaignId ?? null,
    campaignNameKey: campaign?.nameKey ?? null,
    blockIdentity: enquiry.adPlatform?.identity ?? null,
    /** Empty for a quiz without a key. */
    quizKey: enquiry.quiz && storedQuizKey(enquiry.quiz.read.quizKey),
  };
}

export interface QuizQuestion {
  question: string;
  options: string[];
}

export interface Campaign {
  id: string;
  name: string | null;
}

export interface EnquiryFacts {
  /** Up to two, since a number of several listings names none of them. */
  listings: Listing[];
  campaign: Campaign | null;
  /** The ad platform's block of this lead id where a lead has it already. */
  storedBlock: { leadId: string; block: Record<string, unknown> } | null;
  quizQuestions: QuizQuestion[];
}

const LISTINGS_SQL = `
select jsonb_agg(jsonb_build_object(
  'id', id, 'referenceNo', reference_no, 'purpose', purpose, 'market', market, 'price', price::text,
  'priceOnApplication', price_on_application, 'currency', currency, 'bedrooms', bedrooms,
  'developerId', developer_id, 'locationId', location_id, 'propertyTypeId', property_type_id,
  'agentId', agent_id))
from (select * from listings
      where enabled and (id = e.listing_id or lower(reference_no) = lower(e.reference_no)) limit 2) found`;

/** By the platform's id, else by name: one without a platform's id first, else the only one so named. */
const CAMPAIGN_SQL = `
select jsonb_build_object('id', id, 'name', name) from advertising_campaigns c
where platform_campaign_id = e.platform_campaign_id
union all
select jsonb_build_object('id', id, 'name', name) from advertising_campaigns c
where e.platform_campaign_id is null and name_key = e.campaign_name_key
  and (platform_campaign_id is null or not exists (
    select from advertising_campaigns other where other.name_key = c.name_key and other.id <> c.id))`;

const quizQuestions = (quizKey: string) => `
coalesce((select jsonb_agg(jsonb_build_object('question', question, 'options', options) order by position)
          from quiz_questions where quiz_key = ${quizKey}), '[]')`;
export const QUIZ_QUESTIONS_SQL = `select ${quizQuestions(':quizKey')} as known`;

/** The lookup keys of one enquiry as the row `e`, which ENQUIRY_MEMBERS_SQL reads. */
export const ENQUIRY_ROW_SQL = `(select :listingId::uuid as listing_id, :referenceNo::text as reference_no,
  :platformCampaignId::text as platform_campaign_id, :campaignNameKey::text as campaign_name_key,
  :blockIdentity::text as block_identity, :quizKey::text as quiz_key) e`;

/** The facts of the enquiry `e` as members of a JSON object. */
export const ENQUIRY_MEMBERS_SQL = `
  'listings', coalesce((${LISTINGS_SQL}), '[]'),
  'campaign', (${CAMPAIGN_SQL}),
  'storedBlock', (select jsonb_build_object('leadId', lead_id, 'block', block) from ad_platform_blocks
                  where ad_platform_lead_id = e.block_identity),
  'quizQuestions', ${quizQuestions('e.quiz_key')}`;

/** Whether the advertising campaign that an enquiry names has to be created, or renamed as the platform did. */
export function isNewCampaign(key: CampaignKey | null, known: Campaign | null): boolean {
  if (!key || !known) return key !== null;
  return key.platformCampaignId !== null && key.name !== null && key.name !== known.name;
}

/** The advertising campaign of an enquiry; costs a round trip only where it is new. */
export async function ensureCampaign(
  sql: Sql,
  key: CampaignKey | null,
  known: Campaign | null,
  { now, newId }: { now: Date; newId: () => string },
): Promise<Campaign | null> {
  if (!key || !isNewCampaign(key, known)) return key && known;
  const statement = key.platformCampaignId === null ? UPSERT_BY_NAME_SQL : UPSERT_BY_ID_SQL;
  return sql.queryOne<Campaign>(statement, { ...key, id: newId(), now });
}

const INSERT_CAMPAIGN = `
insert into advertising_campaigns (id, platform_campaign_id, name, name_key, created_at, updated_at)
values (:id, :platformCampaignId, :name, :nameKey, :now, :now)`;

const UPSERT_BY_ID_SQL = `${INSERT_CAMPAIGN}
on conflict (platform_campaign_id) do update set
  name = coalesce(excluded.name, advertising_campaigns.name),
  name_key = coalesce(excluded.name_key, advertising_campaigns.name_key),
  updated_at = excluded.updated_at
returning id, name`;

const UPSERT_BY_NAME_SQL = `${INSERT_CAMPAIGN}
on conflict (name_key) where platform_campaign_id is null do update set updated_at = excluded.updated_at
returning id, name`;
