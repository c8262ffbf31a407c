import fc from 'fast-check';
import { LookupList } from '../../../domain/catalogue/lookups/lookup-list.ts';
import type { Reference } from '../../../domain/catalogue/lookups/reference.ts';
import { readAdPlatform } from '../../../domain/leads/ad-platform.ts';
import { buildColumns, type LeadColumnsFacts } from '../../../domain/leads/column-precedence.ts';
import { enquiryFrom } from '../../../domain/leads/enquiry.ts';
import { type Columns, isEmptyColumn } from '../../../domain/leads/fields.ts';
import type { Listing } from '../../../domain/leads/listing-inheritance.ts';

/** Every list has these records, each named like its id. */
const NAMES = ['one', 'two', 'AED', 'USD', 'Tenant', 'Primary Buyer', 'Secondary Buyer'];
const list = new LookupList(NAMES.map((name) => ({ entry: { id: name, name }, texts: [[name]] })));
const lists = new Proxy({}, { get: () => list });
const reference = { lists, quizFields: [] } as unknown as Reference;

const TEXTS = [
  ...['gclid', 'fbclid', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'],
  ...['formName', 'adsetName', 'leadFirstName', 'pageUrl'],
];
const LOOKUPS = ['leadType', 'developerName', 'propertyTypeInterest', 'source'];

interface Sent {
  body: Record<string, unknown>;
  listing: Listing | null;
}

/** An enquiry whose every value differs from those of the other one. */
function enquiryOf(name: 'one' | 'two'): fc.Arbitrary<Sent> {
  const [currency, price] = name === 'one' ? ['AED', '1000000'] : ['USD', '2000000'];
  const text = fc.constant(name);
  const maybe = <T>(value: T) => fc.constantFrom(value, null);
  const body = fc.record(
    {
      ...Object.fromEntries([...TEXTS, ...LOOKUPS].map((field) => [field, text])),
      budgetMin: fc.constant(price),
      budgetMax: fc.constant(`${price}0`),
      currency: fc.constant(currency),
      adPlatform: fc.constant({ adPlatformLeadId: name, formName: name, adgroupName: name }),
    },
    { requiredKeys: [] },
  );
  const listing = fc.record<Listing>({
    id: fc.constant(name),
    referenceNo: fc.constant(name),
    purpose: fc.constant(name === 'one' ? 'rent' : 'sale'),
    market: fc.constant('primary'),
    price: maybe(price),
    priceOnApplication: fc.boolean(),
    currency: maybe(currency),
    bedrooms: maybe(name),
    developerId: maybe(name),
    locationId: maybe(name),
    propertyTypeId: maybe(name),
    agentId: fc.constant(null),
  });
  const few = fc.constantFrom({}, { utmSource: name }, { budgetMax: price });
  return fc.record({ body: fc.oneof(body, few), listing: fc.option(listing, { freq: 2 }) });
}

function columnsAfter(kind: LeadColumnsFacts['kind'], current: Columns, { body, listing }: Sent) {
  const sent = { ...body, ...(listing && { referenceNo: listing.referenceNo }) };
  const enquiry = enquiryFrom(sent, 'create', []);
  const block = readAdPlatform(body.adPlatform as Record<string, unknown> | undefined);
  const rest = { currentListing: null, supersededQuiz: new Map(), campaign: null };
  const listings = listing ? [listing] : [];
  return buildColumns(enquiry, { kind, reference, current, listings, block, ...rest }).columns;
}

const BUDGET = ['budget_min', 'budget_max', 'currency_id'];
const TRACKING = [
  ...['gclid', 'fbclid', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  ...['form_name', 'adset_name'],
];
/** A listing with what it gives. */
const LISTING = [
  ...['listing_id', 'location_id', 'bedrooms', 'developer_id', 'property_type_interest_id'],
  ...['lead_type_id', ...BUDGET],
];

const pick = (columns: Columns, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, columns[name] ?? null]));
const isEmpty = (columns: Columns, names: readonly string[]) =>
  names.every((name) => isEmptyColumn(columns[name]));

test('of two enquiries no group of columns has values of both, and none is overwritten', () => {
  const seen = { filled: 0, kept: 0, adopted: 0, refused: 0 };
  fc.assert(
    fc.property(enquiryOf('one'), enquiryOf('two'), (first, second) => {
      const before = columnsAfter('create', {}, first);
      const after = columnsAfter('merge', before, second);
      const own = Object.keys(before).filter((name) => !isEmptyColumn(before[name]));
      expect(pick(after, own)).toEqual(pick(before, own));

      const isAdopted = second.listing !== null && isEmpty(before, LISTING);
      const alone = columnsAfter('create', {}, isAdopted ? second : { ...second, listing: null });
      for (const group of isAdopted ? [LISTING, TRACKING] : [BUDGET, TRACKING]) {
        const isFree = isEmpty(before, group);
        expect(pick(after, group)).toEqual(pick(isFree ? alone : before, group));
        seen[isFree ? 'filled' : 'kept'] += 1;
      }
      if (second.listing) {
        expect(after.listing_id ?? null).toBe(isAdopted ? 'two' : (before.listing_id ?? null));
        seen[isAdopted ? 'adopted' : 'refused'] += 1;
      }
      expect(columnsAfter('merge', after, second)).toEqual(after);
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});
