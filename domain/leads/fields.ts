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

type FieldType = 'text' | 'texts' | 'decimal' | 'dateTime';

/** How a value becomes a column: as sent, by a list held in memory, or by a rule of its own. */
type FieldMatch =
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
  /** The limit in characters, per entry for lists. */
  maxLength?: number;
  maxEntries?: number;
  createOnly?: true;
  /** A merged enquiry fills the columns of a group together or not at all. */
  group?: 'budget' | 'tracking';
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

/** A lookup in the list of its own name, unless another is given; the column is the list's. */
const lookup = (
  name: string,
  { list = name as ListName, ...extra }: Partial<Field> & { list?: ListName } = {},
): Field => row(name, 255, { match: { list }, column: `${toSnakeCase(list)}_id`, ...extra });

const contactPoints = { type: 'texts', match: 'contactPoint', maxEntries: 20 } as const;
const upTo50 = { type: 'texts', maxEntries: 50 } as const;
const budget = { type: 'decimal', group: 'budget' } as const;
const tracking = { group: 'tracking' } as const;
const listing = { match: 'listing', column: 'listing_id' } as const;

export const fields: readonly Field[] = [
  row('leadPhones', 64, {
    ...contactPoints,
    note: 'E.164 is recommended for reliable matching. A text without a number is kept and matches nobody.',
  }),
  row('leadEmails', 255, contactPoints),
  row('leadFirstName', 255),
  row('leadMiddleName', 255),
  row('leadSecondName', 255, { note: 'Used when no middle name is given.' }),
  row('leadLastName', 255),
  row('leadCompanyName', 255),
  lookup('leadType', { note: 'Derived from the listing when omitted on a listing enquiry.' }),
  lookup('funnel', { createOnly: true, note: 'Omit it for the main sales pipeline.' }),
  row('priority', 64),
  lookup('marketSegment', { note: 'Standard, Luxury or Super Luxury.' }),
  lookup('agentCategory', { note: 'A, B, C or D.' }),
  row('areaOfInterest', undefined, {
    match: { list: 'location' },
    column: 'closing_area_id',
    note: 'The leaf name of a location.',
  }),
  lookup('propertyTypeInterest', {
    list: 'propertyType',
    column: 'property_type_interest_id',
    note: 'A regular plural matches too.',
  }),
  row('budgetMin', undefined, budget),
  row('budgetMax', undefined, budget),
  lookup('currency', { maxLength: 3, group: 'budget', note: 'ISO 4217 code.' }),
  row('initialInquiry'),
  lookup('languages', {
    list: 'language',
    column: 'language_ids',
    ...upTo50,
    note: 'By code or name; entries that are not recognised are ignored.',
  }),
  row('listingId', undefined, { ...listing, note: 'Wins over referenceNo when both are sent.' }),
  row('referenceNo', 128, { ...listing, note: 'Used when listingId is absent.' }),
  lookup('source'),
  lookup('subSource', {
    column: 'sub_source_ids',
    ...upTo50,
    note: 'Kept where linked to the resolved source.',
  }),
  lookup('marketingType'),
  lookup('eventType'),
  lookup('campaignName', { list: 'campaign', note: "The CRM's own campaign; drives routing." }),
  row('advertisingCampaign', 255, {
    match: 'advertisingCampaign',
    column: 'advertising_campaign_id',
    note: 'Created on first sight. Omit it when sending adPlatform.',
  }),
  lookup('developerName', { list: 'developer', note: 'Matches name or slug.' }),
  row('developerId', undefined, {
    match: { list: 'developer' },
    note: 'Wins over developerName. A value that is no uuid is treated as a name.',
  }),
  lookup('website', { note: 'Name or domain; the domain is preferred.' }),
  row('pageUrl'),
  row('pathLocale', 32),
  row('gclid', 512, tracking),
  row('fbclid', 512, tracking),
  row('utmSource', 512, tracking),
  row('utmMedium', 512, tracking),
  row('utmCampaign', 512, tracking),
  row('utmTerm', 512, tracking),
  row('utmContent', 512, tracking),
  row('formName', 255, { ...tracking, note: 'Falls back to adPlatform.formName.' }),
  row('adsetName', 255, { ...tracking, note: 'Falls back to adPlatform.adgroupName.' }),
  row('referrer'),
  row('ipAddress', 64),
  row('userAgent'),
  row('submittedAt', undefined, { type: 'dateTime', note: 'An unparseable value is ignored.' }),
  lookup('localeCountry', {
    list: 'country',
    column: 'locale_country_id',
    note: 'Inferred from a trailing two-letter segment of pageUrl when omitted.',
  }),
  lookup('assignedBy', {
    list: 'agent',
    column: null,
    createOnly: true,
    note: 'E-mail of an agent to own the lead.',
  }),
  row('distributionType', 64, { match: 'distributionType', createOnly: true }),
  row('integrationRef', 128, {
    note: 'Stable handle of the sending automation; stored verbatim, never matched. For enquiries that never merge the guide has another use of it.',
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

/** A value as a column of the lead holds it; lists for the list columns. */
export type ColumnValue = string | number | boolean | readonly string[] | null;
export type Columns = Record<string, ColumnValue>;

/** The columns that hold lists, which are never null. */
const listColumns: ReadonlySet<string> = new Set(
  fields.filter((field) => field.type === 'texts').flatMap((field) => field.column ?? []),
);

export function isEmptyColumn(value: ColumnValue | undefined): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

export function emptyColumn(column: string): ColumnValue {
  return listColumns.has(column) ? [] : null;
}

export function asList(value: ColumnValue | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** Fills the empty columns from `filler`. */
export function fillEmpty(columns: Columns, filler: Columns): Columns {
  const filled = { ...columns };
  for (const [column, value] of Object.entries(filler)) {
    if (isEmptyColumn(filled[column]) && !isEmptyColumn(value)) filled[column] = value;
  }
  return filled;
}

/** Whether another enquiry may fill a column: if it and its group are empty, so that no group mixes two enquiries. */
export function mayFill(columns: Columns, column: string): boolean {
  const group = fields.find((field) => field.column === column)?.group;
  const together = group ? fields.filter((field) => field.group === group) : [{ column }];
  return together.every((each) => isEmptyColumn(columns[each.column ?? '']));
}

/** Field name to the original value sent, for values that matched no record or several. */
export type Unresolved = Record<string, unknown>;
