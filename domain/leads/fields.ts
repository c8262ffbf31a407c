/** The table "Lead create payload": parsing, lookups, storing, responses and documents walk these rows. */

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
  /** Its camel-case form is the name in `updatedFields`. */
  column: string | null;
  /** In characters, per entry for lists. */
  maxLength?: number;
  maxEntries?: number;
  createOnly?: true;
  /** A merged enquiry fills the columns of a group together or not at all. */
  group?: 'budget' | 'tracking';
  note: string;
}

const row = (
  name: string,
  note: string,
  maxLength?: number,
  extra: Partial<Field> = {},
): Field => ({
  name,
  type: 'text',
  match: 'exact',
  column: toSnakeCase(name),
  ...(maxLength ? { maxLength } : {}),
  note,
  ...extra,
});

/** By default in the list and with the column of the same name. */
const lookup = (
  name: string,
  note: string,
  { list = name as ListName, ...extra }: Partial<Field> & { list?: ListName } = {},
): Field => row(name, note, 255, { match: { list }, column: `${toSnakeCase(list)}_id`, ...extra });

const contactPoints = { type: 'texts', match: 'contactPoint', maxEntries: 20 } as const;
const upTo50 = { type: 'texts', maxEntries: 50 } as const;
const budget = { type: 'decimal', group: 'budget' } as const;
const tracking = { group: 'tracking' } as const;
const listing = { match: 'listing', column: 'listing_id' } as const;

export const fields: readonly Field[] = [
  row(
    'leadPhones',
    'E.164 is recommended for reliable matching. A value without a number is stored but not used for matching.',
    64,
    contactPoints,
  ),
  row(
    'leadEmails',
    'One email per entry. A value without an email is stored but not used for matching.',
    255,
    contactPoints,
  ),
  row('leadFirstName', 'First name of the customer.', 255),
  row('leadMiddleName', 'Middle name of the customer.', 255),
  row('leadSecondName', 'Used when no middle name is given.', 255),
  row('leadLastName', 'Last name of the customer.', 255),
  row('leadCompanyName', 'Company of the customer.', 255),
  lookup('leadType', 'Derived from the listing when omitted on a listing enquiry.'),
  lookup('funnel', 'Omit it for the main sales pipeline.', { createOnly: true }),
  row('priority', 'Free text.', 64),
  lookup('marketSegment', 'Standard, Luxury or Super Luxury.'),
  lookup('agentCategory', 'A, B, C or D.'),
  row('areaOfInterest', 'The leaf name of a location.', undefined, {
    match: { list: 'location' },
    column: 'closing_area_id',
  }),
  lookup('propertyTypeInterest', 'A regular plural matches too.', {
    list: 'propertyType',
    column: 'property_type_interest_id',
  }),
  row('budgetMin', 'Lower end of the budget, in `currency`.', undefined, budget),
  row('budgetMax', 'Upper end of the budget, in `currency`.', undefined, budget),
  lookup('currency', 'ISO 4217 code.', { maxLength: 3, group: 'budget' }),
  row('initialInquiry', 'Message of the customer.'),
  lookup('languages', 'By code or name; entries that are not recognised are ignored.', {
    list: 'language',
    column: 'language_ids',
    ...upTo50,
  }),
  row('listingId', 'Wins over referenceNo when both are sent.', undefined, listing),
  row('referenceNo', 'Used when listingId is absent.', 128, listing),
  lookup('source', 'Name of a source in the CRM.'),
  lookup('subSource', 'Stored if linked to the resolved source.', {
    column: 'sub_source_ids',
    ...upTo50,
  }),
  lookup('marketingType', 'Name of a marketing type in the CRM, such as Organic or Paid.'),
  lookup('eventType', 'Name of an event type in the CRM, such as Submit Form or Call.'),
  lookup('campaignName', "The CRM's own campaign; drives routing.", { list: 'campaign' }),
  row('advertisingCampaign', 'Created on first sight. Omit it when sending adPlatform.', 255, {
    match: 'advertisingCampaign',
    column: 'advertising_campaign_id',
  }),
  lookup('developerName', 'Matches name or slug.', { list: 'developer' }),
  row(
    'developerId',
    'Wins over developerName. A value that is not a uuid is treated as a name.',
    undefined,
    { match: { list: 'developer' } },
  ),
  lookup('website', 'Name or domain; the domain is preferred.'),
  row('pageUrl', 'URL of the page on which the enquiry was sent.'),
  row('pathLocale', 'Locale in the path of that page, such as `en`.', 32),
  row('gclid', 'Click id of a Google ad.', 512, tracking),
  row('fbclid', 'Click id of a Facebook ad.', 512, tracking),
  row('utmSource', "`utm_source` of the page's URL.", 512, tracking),
  row('utmMedium', "`utm_medium` of the page's URL.", 512, tracking),
  row('utmCampaign', "`utm_campaign` of the page's URL.", 512, tracking),
  row('utmTerm', "`utm_term` of the page's URL.", 512, tracking),
  row('utmContent', "`utm_content` of the page's URL.", 512, tracking),
  row('formName', 'Falls back to adPlatform.formName.', 255, tracking),
  row('adsetName', 'Falls back to adPlatform.adgroupName.', 255, tracking),
  row('referrer', 'Page from which the customer came.'),
  row('ipAddress', 'IPv4 or IPv6 address of the customer, or the chain added by proxies.', 64),
  row('userAgent', "User agent of the customer's browser."),
  row('submittedAt', 'An unparseable value is ignored.', undefined, { type: 'dateTime' }),
  lookup('localeCountry', 'Inferred from a trailing two-letter segment of pageUrl when omitted.', {
    list: 'country',
    column: 'locale_country_id',
  }),
  lookup('assignedBy', 'Email of an agent to own the lead.', {
    list: 'agent',
    column: null,
    createOnly: true,
  }),
  row(
    'distributionType',
    'Routing hint, such as `Campaign distribution`; the first word is enough. Used if a rule claims it.',
    64,
    { match: 'distributionType', createOnly: true },
  ),
  row(
    'integrationRef',
    'Stable handle of the sending automation; stored verbatim, never matched. For enquiries that never merge the guide has another use of it.',
    128,
  ),
];

export const fieldByName: ReadonlyMap<string, Field> = new Map(
  fields.map((field) => [field.name, field]),
);

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** As in `updatedFields`: `closing_area_id` is `closingAreaId`. */
export function toCamelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

export type ColumnValue = string | number | boolean | readonly string[] | null;
export type Columns = Record<string, ColumnValue>;

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

export function fillEmpty(columns: Columns, filler: Columns): Columns {
  const filled = { ...columns };
  for (const [column, value] of Object.entries(filler)) {
    if (isEmptyColumn(filled[column]) && !isEmptyColumn(value)) filled[column] = value;
  }
  return filled;
}

/** A column of a group is fillable if the whole group is empty, so that no group mixes two enquiries. */
export function mayFill(columns: Columns, column: string): boolean {
  const group = fields.find((field) => field.column === column)?.group;
  const together = group ? fields.filter((field) => field.group === group) : [{ column }];
  return together.every((each) => isEmptyColumn(columns[each.column ?? '']));
}

export type Unresolved = Record<string, unknown>;
