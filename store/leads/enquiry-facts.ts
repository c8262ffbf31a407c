import { campaignKey } from '../../domain/leads/advertising-campaign.ts';
import type { Enquiry } from '../../domain/leads/enquiry.ts';
import type { Listing } from '../../domain/leads/listing-inheritance.ts';
import { listingKey } from '../../domain/leads/listing-inheritance.ts';
import { storedQuizKey } from '../../domain/quiz/supersede.ts';
import type { Campaign } from './ensure-campaign.ts';

/** The keys by which an enquiry's records are read, whether it creates a lead or changes one. */
export interface LookupKeys {
  listingId: string | null;
  referenceNo: string | null;
  platformCampaignId: string | null;
  campaignNameKey: string | null;
  /** The identity of the ad platform's block. */
  blockIdentity: string | null;
  /** Empty for a quiz without a key. */
  quizKey: string | null;
}

export function lookupKeys(enquiry: Enquiry): LookupKeys {
  const listing = listingKey(enquiry);
  const campaign = campaignKey(enquiry, enquiry.adPlatform);
  return {
    listingId: listing.id,
    referenceNo: listing.referenceNo,
    platformCampaignId: campaign?.platformCampaignId ?? null,
    campaignNameKey: campaign?.nameKey ?? null,
    blockIdentity: enquiry.adPlatform?.identity ?? null,
    quizKey: enquiry.quiz && storedQuizKey(enquiry.quiz.read.quizKey),
  };
}

export interface QuizQuestion {
  question: string;
  options: string[];
}

export interface EnquiryFacts {
  /** Up to two, since a number of several listings names none of them. */
  listings: Listing[];
  campaign: Campaign | null;
  /** The lead that has the ad platform's block already. */
  blockHolder: string | null;
  quizQuestions: QuizQuestion[];
}

/** The values of six parameters in the order in which `enquiryMembers` takes them. */
export function enquiryParameters(keys: LookupKeys): unknown[] {
  return [
    keys.listingId,
    keys.referenceNo,
    keys.platformCampaignId,
    keys.campaignNameKey,
    keys.blockIdentity,
    keys.quizKey,
  ];
}

/** The answers as members of a JSON object; `first` is the number of the first parameter. */
export function enquiryMembers(first: number): string {
  const [id, referenceNo, platformId, nameKey, block, quizKey] = [0, 1, 2, 3, 4, 5].map(
    (offset) => `$${first + offset}`,
  ) as [string, string, string, string, string, string];
  return `
  'listings', coalesce((${listings(`${id}::uuid`, referenceNo)}), '[]'),
  'campaign', (${campaign(platformId, nameKey)}),
  'blockHolder', (select lead_id from ad_platform_blocks where ad_platform_lead_id = ${block}),
  'quizQuestions', coalesce((${quizQuestions(quizKey)}), '[]')`;
}

const listings = (id: string, referenceNo: string) => `
select jsonb_agg(jsonb_build_object(
  'id', id, 'referenceNo', reference_no, 'purpose', purpose, 'market', market, 'price', price::text,
  'priceOnApplication', price_on_application, 'currency', currency, 'bedrooms', bedrooms,
  'developerId', developer_id, 'locationId', location_id, 'propertyTypeId', property_type_id,
  'agentId', agent_id))
from (select * from listings where enabled and (id = ${id} or lower(reference_no) = lower(${referenceNo})) limit 2) found`;

/** By the platform's id, else by name: one without a platform's id first, else the only one so named. */
const campaign = (platformId: string, nameKey: string) => `
select jsonb_build_object('id', id, 'name', name) from advertising_campaigns c
where platform_campaign_id = ${platformId}
   or (${platformId}::text is null and name_key = ${nameKey}
       and (platform_campaign_id is null or not exists (
         select from advertising_campaigns other where other.name_key = c.name_key and other.id <> c.id)))`;

export const quizQuestions = (quizKey: string) => `
select jsonb_agg(jsonb_build_object('question', question, 'options', options) order by position)
from quiz_questions where quiz_key = ${quizKey}`;
