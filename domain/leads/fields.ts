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

const text = (name: string, maxLength?: number, extra: Partial<Field> = {}): Field => ({
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
  column: string,
  extra: Partial<Field> = {},
): Field => ({
  name,
  type: 'text',
  match: { list },
  column,
  maxLength: 255,
  ...extra,
});

export const fields: readonly Field[] = [
  {
    name: 'leadPhones',
    type: 'texts',
    match: 'contactPoint',
    column: 'lead_phones',
    maxLength: 64,
    maxEntries: 20,
    note: 'E.164 is recommended for reliable matching.',
  },
  {
    name: 'leadEmails',
    type: 'texts',
    match: 'contactPoint',
    column: 'lead_emails',
    maxLength: 255,
    maxEntries: 20,
  },
  text('leadFirstName', 255),
  text('leadMiddleName', 255),
  text('leadSecondName', 255, { note: 'Used when no middle name is given.' }),
  text('leadLastName', 255),
  text('leadCompanyName', 255),
  lookup('leadType', 'leadType', 'lead_type_id', {
    note: 'Derived from the listing when omitted on a listing enquiry.',
  }),
  lookup('funnel', 'funnel', 'funnel_id', {
    createOnly: true,
    note: 'Omit it for the main sales pipeline.',
  }),
  text('priority', 64),
  lookup('marketSegment', 'marketSegment', 'market_segment_id', {
    note: 'Standard, Luxury or Super Luxury.',
  }),
  lookup('agentCategory', 'agentCategory', 'agent_category_id', { note: 'A, B, C or D.' }),
  {
    name: 'areaOfInterest',
    type: 'text',
    match: { list: 'location' },
    column: 'closing_area_id',
    note: 'The leaf name of a location.',
  },
  lookup('propertyTypeInterest', 'propertyType', 'property_type_interest_id', {
    note: 'A regular plural matches too.',
  }),
  { name: 'budgetMin', type: 'decimal', match: 'exact', column: 'budget_min' },
  { name: 'budgetMax', type: 'decimal', match: 'exact', column: 'budget_max' },
  lookup('currency', 'currency', 'currency_id', { maxLength: 3, note: 'ISO 4217 code.' }),
  text('initialInquiry'),
  {
    name: 'languages',
    type: 'texts',
    match: { list: 'language' },
    column: 'language_ids',
    maxLength: 255,
    maxEntries: 50,
    note: 'By code or name; entries that are not recognised are ignored.',
  },
  {
    name: 'listingId',
    type: 'text',
    match: 'listing',
    column: 'listing_id',
    note: 'Wins over referenceNo when both are sent.',
  },
  {
    name: 'referenceNo',
    type: 'text',
    match: 'listing',
    column: 'listing_id',
    maxLength: 128,
    note: 'Used when listingId is absent.',
  },
  lookup('source', 'source', 'source_id'),
  {
    name: 'subSource',
    type: 'texts',
    match: { list: 'subSource' },
    column: 'sub_source_ids',
    maxLength: 255,
    maxEntries: 50,
    note: 'Kept where linked to the resolved source.',
  },
  lookup('marketingType', 'marketingType', 'marketing_type_id'),
  lookup('eventType', 'eventType', 'event_type_id'),
  lookup('campaignName', 'campaign', 'campaign_id', {
    note: "The CRM's own campaign; drives routing.",
  }),
  {
    name: 'advertisingCampaign',
    type: 'text',
    match: 'advertisingCampaign',
    column: 'advertising_campaign_id',
    maxLength: 255,
    note: 'Created on first sight. Omit it when sending adPlatform.',
  },
  lookup('developerName', 'developer', 'developer_id', { note: 'Matches name or slug.' }),
  {
    name: 'developerId',
    type: 'text',
    match: { list: 'developer' },
    column: 'developer_id',
    note: 'Wins over developerName. A value that is no uuid is treated as a name.',
  },
  lookup('website', 'website', 'website_id', { note: 'Name or domain; the domain is preferred.' }),
  text('pageUrl'),
  text('pathLocale', 32),
  text('gclid', 512),
  text('fbclid', 512),
  text('utmSource', 512),
  text('utmMedium', 512),
  text('utmCampaign', 512),
  text('utmTerm', 512),
  text('utmContent', 512),
  text('formName', 255, { note: 'Falls back to adPlatform.formName.' }),
  text('adsetName', 255, { note: 'Falls back to adPlatform.adgroupName.' }),
  text('referrer'),
  text('ipAddress', 64),
  text('userAgent'),
  {
    name: 'submittedAt',
    type: 'dateTime',
    match: 'exact',
    column: 'submitted_at',
    note: 'An unparseable value is ignored.',
  },
  lookup('localeCountry', 'country', 'locale_country_id', {
    note: 'Inferred from a trailing two-letter segment of pageUrl when omitted.',
  }),
  {
    name: 'assignedBy',
    type: 'text',
    match: { list: 'agent' },
    column: null,
    maxLength: 255,
    createOnly: true,
    note: 'E-mail of an agent to own the lead.',
  },
  {
    name: 'distributionType',
    type: 'text',
    match: 'distributionType',
    column: 'distribution_type',
    maxLength: 64,
    createOnly: true,
  },
  text('integrationRef', 128, {
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
