import { campaignKey } from '../../domain/leads/advertising-campaign.ts';
import { textsOf } from '../../domain/leads/enquiry.ts';
import type { Enquiry } from '../../domain/leads/enquiry.ts';
import { contactPointKey, contactPointsOf } from '../../domain/leads/contact-points.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { listingKey } from '../../domain/leads/listing-inheritance.ts';
import { storedQuizKey } from '../../domain/quiz/supersede.ts';
import type { LookupKeys } from '../../store/leads/enquiry-facts.ts';

/** Who an enquiry comes from: every phone, then every e-mail, as they are compared. */
export function contactPointsOfEnquiry(enquiry: Enquiry): ContactPoint[] {
  return contactPointsOf(textsOf(enquiry, 'leadPhones'), textsOf(enquiry, 'leadEmails'));
}

/** What must not be dealt with twice at once: a person, and an ad platform's lead. */
export function lockKeys({ adPlatform }: Enquiry, people: readonly ContactPoint[]): string[] {
  const block = adPlatform ? [`adPlatform:${adPlatform.identity}`] : [];
  return [...people.map(contactPointKey), ...block];
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
