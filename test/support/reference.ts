import { randomUUID } from 'node:crypto';
import { importDataset } from '../../app/dataset/import.ts';
import type { Database } from '../../store/db/database.ts';

export const DUPLICATES = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
] as const;
export const SECONDARY_LISTING = '33333333-3333-4333-8333-333333333333';
export const EMAAR = '44444444-4444-4444-8444-44444444444a';

const listing = (referenceNo: string, more: object = {}) => ({
  referenceNo,
  purpose: 'sale',
  market: 'secondary',
  price: '2100000',
  currency: 'AED',
  bedrooms: '2',
  developer: 'emaar',
  location: 'dubai/dubai-marina',
  propertyType: 'Apartment',
  ...more,
});

/** Reference data with every case that intake distinguishes: duplicates, aliases, portals, disabled records. */
export const reference = {
  locations: [
    { key: 'dubai', name: 'Dubai', level: 'emirate' },
    {
      key: 'dubai/dubai-marina',
      name: 'Dubai Marina',
      nameAr: 'دبي مارينا',
      level: 'community',
      parent: 'dubai',
    },
    { key: 'dubai/downtown', name: 'Downtown', level: 'community', parent: 'dubai' },
    { key: 'dubai/palm', name: 'Palm Jumeirah', level: 'community', parent: 'dubai' },
    {
      key: 'dubai/old-town',
      name: 'Old Town',
      level: 'community',
      parent: 'dubai',
      enabled: false,
    },
    { key: 'sharjah', name: 'Sharjah', level: 'emirate' },
    { key: 'sharjah/downtown', name: 'Downtown', level: 'community', parent: 'sharjah' },
  ],
  propertyTypes: [
    { name: 'Apartment' },
    { name: 'Villa' },
    { name: 'Penthouse' },
    { name: 'Factory' },
    { name: 'Kiosk', enabled: false },
  ],
  developers: [
    { id: EMAAR, slug: 'emaar', name: 'Emaar Properties' },
    { slug: 'nakheel', name: 'Nakheel' },
    { slug: 'gone', name: 'Gone Builders', enabled: false },
  ],
  sources: [
    { name: 'Website', subSources: ['Landing Page', 'Chat'] },
    { name: 'Social Ads', subSources: ['Chat', 'Lead Form'] },
    { name: 'Property Portal A', portal: true, subSources: [] },
  ],
  campaigns: [{ name: 'Marina Spring' }],
  marketingTypes: [{ name: 'Organic' }, { name: 'Paid' }],
  eventTypes: [{ name: 'Submit Form' }, { name: 'Call' }],
  websites: [
    { domain: 'example.ae', name: 'Example' },
    { domain: 'other.ae', name: 'example.ae' },
  ],
  leadTypes: [{ name: 'Investor', aliases: ['Buy to let'] }],
  languages: [{ code: 'ar', name: 'Arabic', aliases: ['Khaleeji'] }],
  agents: [
    { email: 'sara@agency.example', name: 'Sara H', slug: 'sara-h', phone: '+971500000001' },
    { email: 'omar@agency.example', name: 'Omar K', slug: 'omar-k' },
    { email: 'left@agency.example', name: 'Left Last Year', slug: 'left', active: false },
  ],
  listings: [
    listing('AG-P-1', { market: 'primary' }),
    listing('AG-S-1001', { id: SECONDARY_LISTING, agent: 'sara@agency.example' }),
    listing('AG-R-1', { purpose: 'rent', market: 'primary', price: '90000' }),
    listing('AG-POA', { priceOnApplication: true }),
    listing('AG-OLD', { agent: 'left@agency.example' }),
    listing('AG-GONE', { enabled: false }),
    listing('AG-DISABLED', {
      developer: 'gone',
      location: 'dubai/old-town',
      propertyType: 'Kiosk',
    }),
    listing('İST-ΣΑΣ'),
    listing('CAFE\u0301-1'),
    listing('AG-TWICE', { id: DUPLICATES[0] }),
    listing('ag-twice', { id: DUPLICATES[1] }),
  ],
  quizFields: [
    { quizKey: 'finder', questionKey: 'budget', field: 'budget' },
    { quizKey: 'finder', questionKey: 'area', field: 'areaOfInterest' },
    { quizKey: 'finder', questionKey: 'type', field: 'propertyTypeInterest' },
    { quizKey: 'finder', questionKey: 'who', field: 'leadType' },
    { quizKey: 'finder', questionKey: 'board', field: 'funnel' },
    { quizKey: 'finder', questionKey: 'listing', field: 'referenceNo' },
    { quizKey: 'finder', questionKey: 'from', field: 'source' },
    { quizKey: 'finder', questionKey: 'heard', field: 'subSource' },
    { quizKey: 'finder', questionKey: 'agent', field: 'assignedBy' },
    { quizKey: '7', questionKey: 'type', field: 'propertyTypeInterest' },
    { quizKey: 'person', questionKey: 'first', field: 'leadFirstName' },
    { quizKey: 'person', questionKey: 'last', field: 'leadLastName' },
    { quizKey: 'person', questionKey: 'ref', field: 'integrationRef' },
  ],
  knownAgents: [
    { email: 'broker@outside.example', phone: null },
    { email: null, phone: '+971509990001' },
  ],
  competitorDomains: ['rival.example'],
};

/** Imports a dataset as an operator does; throws where it is invalid. */
export async function seedReference(
  database: Database,
  dataset: unknown = reference,
): Promise<void> {
  const outcome = await importDataset(
    database,
    { dataset },
    {
      author: 'test',
      companyName: 'Our Company',
      companyTimeZone: 'Asia/Dubai',
      now: new Date(),
      newId: randomUUID,
      accepts: () => true,
    },
  );
  if (outcome.kind !== 'imported') throw new Error(JSON.stringify(outcome));
}
