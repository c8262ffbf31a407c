import { randomUUID } from 'node:crypto';
import { DUPLICATES, EMAAR, SECONDARY_LISTING } from '../../support/reference.ts';

/**
 * Values of fields: the first two are different values of the column. Of the others some match several records and
 * some none; some name one record by two fields.
 */
const known: Readonly<Record<string, readonly unknown[]>> = {
  leadType: ['Tenant', 'Secondary'],
  marketSegment: ['Luxury', 'Standard'],
  agentCategory: ['A', 'B'],
  areaOfInterest: ['Dubai Marina', 'Palm Jumeirah', 'Downtown'],
  propertyTypeInterest: ['Villas', 'Apartment'],
  budgetMin: [1_000_000, '2,100,000.00'],
  budgetMax: ['2000000', '3000000.50'],
  currency: ['AED', 'usd'],
  languages: [['ar'], ['ar', 'en', 'Klingon']],
  listingId: [SECONDARY_LISTING, DUPLICATES[0], randomUUID()],
  referenceNo: ['AG-P-1', 'AG-R-1', 'AG-TWICE', 'AG-POA'],
  source: ['Website', 'Social Ads', 'Property Portal A'],
  subSource: [['Chat'], ['Landing Page', 'Chat'], ['Lead Form', 'Pigeon']],
  marketingType: ['Paid', 'Organic'],
  eventType: ['Call', 'Submit Form'],
  campaignName: ['Marina Spring', 'Marina Spring'],
  advertisingCampaign: ['One', 'Two'],
  developerName: ['Nakheel', 'emaar', 'gone'],
  developerId: ['nakheel', EMAAR, randomUUID()],
  website: ['example.ae', 'other.ae'],
  pageUrl: ['https://x.example/ae', 'https://x.example/gb'],
  submittedAt: ['2026-09-20T10:00:00Z', '2026-09-21T10:00:00Z', 'yesterday'],
  localeCountry: ['AE', 'Germany'],
  leadPhones: [['050 777 0001'], ['+971507770001', '0507770002'], ['N/A']],
  leadEmails: [['a@repeat.example'], ['A@repeat.example ', 'b@repeat.example']],
};

export const fieldValues = (name: string) => known[name] ?? [`a ${name}`, `b ${name}`];
