import * as z from 'zod';
import {
  normalizeContactText,
  readContactPoints,
  type ContactPoint,
} from '../../leads/contact-points.ts';
import { normalizeDomain } from '../../leads/email-addresses.ts';
import { fieldByName } from '../../leads/fields.ts';
import {
  absenceSchema,
  agentSchema,
  datedHoursSchema,
  developerSchema,
  ENABLED,
  holidaySchema,
  listingSchema,
  locationSchema,
  projectSchema,
  ruleRecordSchema,
  teamSchema,
} from './records.ts';
import { flag, lowerCaseName, name, names, optionalId, optionalName, orDefault } from './values.ts';

const named = z.strictObject({
  id: optionalId,
  name: name.describe('The name in leads and rules.'),
  enabled: flag(true).describe(ENABLED),
});

const aliases = names.describe('Other names for it.');

interface SectionFields {
  /** The fields of the natural key. Without one, a record is its own key. */
  key: readonly string[];
  /** Fields to the sections that they refer to. `a.b` is the field b of the entries of a list. */
  references: Readonly<Record<string, string>>;
  /** Fields with optional fields of their own. */
  nested: readonly string[];
  /** Fields that are decided for the whole file: if omitted, the stored value is not kept. */
  settledTogether: readonly string[];
}

/** `about` is for operators. */
function section<Schema extends z.ZodType>(
  about: string,
  schema: Schema,
  { key = [], references = {}, nested = [], settledTogether = [] }: Partial<SectionFields> = {},
) {
  return { about, schema, key, references, nested, settledTogether };
}

/** A quiz fills no phones and emails, which the sender gives. */
function isFillable(fieldName: string): boolean {
  const field = fieldByName.get(fieldName);
  return fieldName === 'budget' || (field !== undefined && field.match !== 'contactPoint');
}

const domain = name
  .transform((text) => {
    const typed = normalizeContactText(text).replace(/^@?(?:www\.)?|\.$/g, '');
    return normalizeDomain(typed);
  })
  .pipe(z.string('Expected a domain such as "rival.example"'));

function contactPoints(wanted: ContactPoint['kind'], message: string) {
  const readable = name
    .transform(readContactPoints)
    .refine((points) => points.some(({ kind }) => kind === wanted), message);
  return orDefault(readable, []);
}

const knownAgentSchema = z
  .strictObject({
    email: contactPoints('email', 'Expected an e-mail address').describe(
      'Required without a phone.',
    ),
    phone: contactPoints('phone', 'Expected a phone number').describe(
      'Required without an e-mail.',
    ),
  })
  .transform(({ email, phone }) => [...email, ...phone])
  .refine((points) => points.length > 0, 'Needs an e-mail or a phone');

/** A record comes after those that it refers to. */
export const sections = {
  propertyTypes: section('Types of property, such as Apartment.', named, { key: ['name'] }),
  projectStatuses: section(
    'States of a project, such as Off Plan.',
    named.extend({ color: optionalName.describe('Such as `#1E88E5`.') }),
    { key: ['name'] },
  ),
  sources: section(
    'Where leads come from.',
    named.extend({
      portal: flag(false).describe('The enquiries of a portal are never merged.'),
      subSources: names.describe(
        'The whole list; a sub-source that it leaves out is switched off.',
      ),
    }),
    { key: ['name'] },
  ),
  campaigns: section('The CRM’s campaigns.', named, { key: ['name'] }),
  marketingTypes: section('Types of marketing, such as Paid.', named, { key: ['name'] }),
  eventTypes: section('Actions of visitors, such as Submit Form.', named, { key: ['name'] }),
  websites: section(
    'The company’s websites.',
    named.extend({
      domain: lowerCaseName.describe('Such as `agency.example`.'),
      name: optionalName.describe('Another name in leads, besides the domain.'),
    }),
    { key: ['domain'] },
  ),
  leadTypes: section('Lead types besides the built-in ones.', named.extend({ aliases }), {
    key: ['name'],
  }),
  languages: section(
    'Other names of languages, and languages that ISO 639-1 does not have.',
    named.extend({
      code: lowerCaseName.describe('A code of ISO 639-1, or one of your own.'),
      aliases,
    }),
    { key: ['code'] },
  ),
  pools: section('Pools, from which agents claim leads.', named, { key: ['name'] }),
  funnels: section(
    'Pipelines, with their stages in order.',
    z.strictObject({
      id: optionalId,
      key: lowerCaseName.describe('Such as `leasing`.'),
      name: name.describe('`{company}` is replaced by the company’s name.'),
      stages: z
        .array(name)
        .min(1)
        .nullish()
        .describe(
          'In order. Stages that it leaves out stay, behind these. By default a new funnel gets four.',
        ),
    }),
    { key: ['key'] },
  ),
  developers: section('Companies that build projects.', developerSchema, { key: ['slug'] }),
  locations: section('Places, each within another one.', locationSchema, {
    key: ['key'],
    references: { parent: 'locations' },
  }),
  agents: section('Agents, who get leads.', agentSchema, {
    key: ['email'],
    references: { locations: 'locations' },
    settledTogether: ['slug'],
  }),
  teams: section('Agents who take turns.', teamSchema, {
    key: ['name'],
    references: { 'members.agent': 'agents' },
  }),
  absences: section('Absences of agents. The section replaces all absences.', absenceSchema, {
    key: ['agent', 'from', 'to'],
    references: { agent: 'agents' },
  }),
  datedHours: section(
    'Hours that replace an agent’s usual ones on some days. The section replaces all of them.',
    datedHoursSchema,
    { key: ['agent', 'from', 'to'], references: { agent: 'agents' } },
  ),
  holidays: section('Times when nobody works. The section replaces all holidays.', holidaySchema, {
    key: ['name', 'from', 'to'],
  }),
  projects: section('Projects of developers.', projectSchema, {
    key: ['slug'],
    references: {
      developer: 'developers',
      location: 'locations',
      status: 'projectStatuses',
      propertyTypes: 'propertyTypes',
    },
  }),
  listings: section(
    'Properties. A lead inherits values from the listing that it names.',
    listingSchema,
    {
      key: ['referenceNo'],
      references: {
        developer: 'developers',
        location: 'locations',
        propertyType: 'propertyTypes',
        agent: 'agents',
      },
    },
  ),
  quizFields: section(
    'Fields of a lead that answers to a quiz fill.',
    z.strictObject({
      quizKey: name.describe('The key of the quiz, as leads send it.'),
      questionKey: name.describe('The key of the question, as leads send it.'),
      field: name
        .refine(isFillable, 'Not a field of the lead that a quiz can fill')
        .describe(
          'A field of a lead, or `budget`: a range fills both bounds, one number `budgetMax`.',
        ),
    }),
    { key: ['quizKey', 'questionKey'] },
  ),
  knownAgents: section(
    'Agents of other companies. Their enquiries are flagged `isAgentEnquiry`.',
    knownAgentSchema,
  ),
  competitorDomains: section(
    'Domains of other companies. Enquiries from their e-mails are flagged `isAgentEnquiry`.',
    domain,
  ),
  rules: section(
    'Rules that assign leads. The section is the whole ruleset: a rule that it leaves out is switched off.',
    ruleRecordSchema,
    { key: ['name'], nested: ['gates', 'followUp'] },
  ),
} as const;

export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as SectionName[];

export function referencesOf(section: SectionName) {
  return Object.entries(sections[section].references) as [field: string, to: SectionName][];
}

export type RecordOf<Name extends SectionName> = z.output<(typeof sections)[Name]['schema']>;

export function isSection(name: string): name is SectionName {
  return Object.hasOwn(sections, name);
}

export type StoredRecord = Readonly<Record<string, unknown>> | string;

export interface Indexed<Value> {
  index: number;
  value: Value;
}

export type Dataset = { readonly [Name in SectionName]?: readonly Indexed<RecordOf<Name>>[] };

/** A dataset is read as a stream of sections and records, so that it is never in memory whole. */
export type DatasetEvent =
  | { kind: 'section'; name: string; isList: boolean }
  | { kind: 'record'; section: string; index: number; value: unknown }
  | RecordIssue
  | { kind: 'no dataset' };

/** The record follows if it could be read. */
export interface RecordIssue {
  kind: 'issue';
  section: SectionName;
  index: number;
  field?: string;
  message: string;
  /** The key of a record that could not be read: a reference to it is not a second issue. */
  unreadKey?: string;
}

export type DatasetEvents = Iterable<DatasetEvent> | AsyncIterable<DatasetEvent>;

export function fieldOf(record: unknown, field: string): unknown {
  return (record as Record<string, unknown> | null | undefined)?.[field];
}
