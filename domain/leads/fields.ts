/**
 * The payload of create and update as data: one row per field of the specification's table
 * ("Lead create payload"). Parsing, lookups, storing, the record in the response, `updatedFields` and
 * the OpenAPI document all walk these rows.
 */

export type ListName =
  | 'leadType'
  | 'funnel'
  | 'marketSegment'
  | 'agentCategory'
  | 'location'
  | 'propertyType'
  | 'currency'
  | 'language'
  | 'source'
  | 'subSource'
  | 'marketingType'
  | 'eventType'
  | 'campaign'
  | 'developer'
  | 'website'
  | 'country'
  | 'agent';

export type FieldType = 'text' | 'texts' | 'decimal' | 'dateTime';

/** How a value becomes a column: as sent, by a list held in memory, or by a rule of its own. */
export type FieldMatch =
  | 'exact'
  | { list: ListName }
  | 'listing'
  | 'advertisingCampaign'
  | 'distributionType'
  | 'contactPoint';

export interface Field {
  name: string;
  type: FieldType;
  match: FieldMatch;
  /** The column of the lead; its camel-case form is the name in `updatedFields`. Null: no column. */
  column: string | null;
  /** In characters, per entry for lists. */
  maxLength?: number;
  maxEntries?: number;
  createOnly?: true;
  note?: string;
}

const row = (name: string, maxLength?: number, extra: Partial<Field> = {}): Field => ({
  name,
  type: 'text',
  match: 'exact',
  column: toSnakeCase(name),
  ...(maxLength ? { maxLength } : {}),
  ...extra,
});

const lookup = (
  name: string,
  list: ListName,
  column: string | null,
  extra: Partial<Field> = {},
): Field => row(name, 255, { match: { list }, column, ...extra });

const contactPoints = { type: 'texts', match: 'contactPoint', maxEntries: 20 } as const;
const upTo50 = { type: 'texts', maxEntries: 50 } as const;
const listing = { match: 'listing', column: 'listing_id' } as const;

export const fields: readonly Field[] = [
  row('leadPhones', 64, {
    ...contactPoints,
    note: 'E.164 is recommended for reliable matching.',
  }),
  row('leadEmails', 255, contactPoints),
  row('leadFirstName', 255),
  row('leadMiddleName', 255),
  row('leadSecondName', 255, { note: 'Used when no middle name is given.' }),
  row('leadLastName', 255),
  row('leadCompanyName', 255),
  lookup('leadType', 'leadType', 'lead_type_id', {
    note: 'Derived from the listing when omitted on a listing enquiry.',
  }),
  lookup('funnel', 'funnel', 'funnel_id', {
    createOnly: true,
    note: 'Omit it for the main sales pipeline.',
  }),
  row('priority', 64),
  lookup('marketSegment', 'marketSegment', 'market_segment_id', {
    note: 'Standard, Luxury or Super Luxury.',
  }),
  lookup('agentCategory', 'agentCategory', 'agent_category_id', { note: 'A, B, C or D.' }),
  row('areaOfInterest', undefined, {
    match: { list: 'location' },
    column: 'closing_area_id',
    note: 'The leaf name of a location.',
  }),
  lookup('propertyTypeInterest', 'propertyType', 'property_type_interest_id', {
    note: 'A regular plural matches too.',
  }),
  row('budgetMin', undefined, { type: 'decimal' }),
  row('budgetMax', undefined, { type: 'decimal' }),
  lookup('currency', 'currency', 'currency_id', { maxLength: 3, note: 'ISO 4217 code.' }),
  row('initialInquiry'),
  lookup('languages', 'language', 'language_ids', {
    ...upTo50,
    note: 'By code or name; entries that are not recognised are ignored.',
  }),
  row('listingId', undefined, {
    ...listing,
    note: 'Wins over referenceNo when both are sent.',
  }),
  row('referenceNo', 128, { ...listing, note: 'Used when listingId is absent.' }),
  lookup('source', 'source', 'source_id'),
  lookup('subSource', 'subSource', 'sub_source_ids', {
    ...upTo50,
    note: 'Kept where linked to the resolved source.',
  }),
  lookup('marketingType', 'marketingType', 'marketing_type_id'),
  lookup('eventType', 'eventType', 'event_type_id'),
  lookup('campaignName', 'campaign', 'campaign_id', {
    note: "The CRM's own campaign; drives routing.",
  }),
  row('advertisingCampaign', 255, {
    match: 'advertisingCampaign',
    column: 'advertising_campaign_id',
    note: 'Created on first sight. Omit it when sending adPlatform.',
  }),
  lookup('developerName', 'developer', 'developer_id', { note: 'Matches name or slug.' }),
  row('developerId', undefined, {
    match: { list: 'developer' },
    note: 'Wins over developerName. A value that is no uuid is treated as a name.',
  }),
  lookup('website', 'website', 'website_id', { note: 'Name or domain; the domain is preferred.' }),
  row('pageUrl'),
  row('pathLocale', 32),
  row('gclid', 512),
  row('fbclid', 512),
  row('utmSource', 512),
  row('utmMedium', 512),
  row('utmCampaign', 512),
  row('utmTerm', 512),
  row('utmContent', 512),
  row('formName', 255, { note: 'Falls back to adPlatform.formName.' }),
  row('adsetName', 255, { note: 'Falls back to adPlatform.adgroupName.' }),
  row('referrer'),
  row('ipAddress', 64),
  row('userAgent'),
  row('submittedAt', undefined, { type: 'dateTime', note: 'An unparseable value is ignored.' }),
  lookup('localeCountry', 'country', 'locale_country_id', {
    note: 'Inferred from a trailing two-letter segment of pageUrl when omitted.',
  }),
  lookup('assignedBy', 'agent', null, {
    createOnly: true,
    note: 'E-mail of an agent to own the lead.',
  }),
  row('distributionType', 64, { match: 'distributionType', createOnly: true }),
  row('integrationRef', 128, {
    note: 'Stable handle of the sending automation; stored verbatim, never matched.',
  }),
];

export const fieldByName: ReadonlyMap<string, Field> = new Map(
  fields.map((field) => [field.name, field]),
);

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The name that `updatedFields` has for a column: `closing_area_id` is `closingAreaId`. */
export function toCamelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

const SURROGATE_PAIR = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** Code points, so that 255 emoji count as 255. */
export function charactersIn(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0);
}
