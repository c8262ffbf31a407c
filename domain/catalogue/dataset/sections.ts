import * as z from 'zod';
import { withoutInvisible } from '../../invisible-characters.ts';
import { readContactPoints, type ContactPoint } from '../../leads/contact-points.ts';
import { fieldByName } from '../../leads/fields.ts';
import {
  absenceSchema,
  agentSchema,
  datedHoursSchema,
  developerSchema,
  holidaySchema,
  listingSchema,
  locationSchema,
  projectSchema,
  ruleRecordSchema,
  teamSchema,
} from './records.ts';
import { flag, lowerCaseName, name, names, optionalId, optionalName, orDefault } from './values.ts';

const named = z.strictObject({ id: optionalId, name, enabled: flag(true) });

/** `key` are the fields that are the natural key; none: a record is its own key. */
function section<Schema extends z.ZodType>(schema: Schema, ...key: string[]) {
  return { schema, key };
}

/** A quiz fills any field but phones and e-mails, which are the sender's to give. */
function isFillable(fieldName: string): boolean {
  const field = fieldByName.get(fieldName);
  return fieldName === 'budget' || (field !== undefined && field.match !== 'contactPoint');
}

const domain = name
  .transform((text) =>
    withoutInvisible(text)
      .replace(/^@|\.$/g, '')
      .toLowerCase(),
  )
  .refine(
    (text) => /^[^\s@/:]+\.[^\s@/:]+$/.test(text),
    'Expected a domain such as "rival.example"',
  );

/** Each number and address in a text, of which one is of this kind. */
function contactPoints(wanted: ContactPoint['kind'], message: string) {
  const readable = name
    .transform(readContactPoints)
    .refine((points) => points.some(({ kind }) => kind === wanted), message);
  return orDefault(readable, []);
}

const knownAgentSchema = z
  .strictObject({
    email: contactPoints('email', 'Expected an e-mail address'),
    phone: contactPoints('phone', 'Expected a phone number'),
  })
  .transform(({ email, phone }) => [...email, ...phone])
  .refine((points) => points.length > 0, 'Needs an e-mail or a phone');

/** Every section of a dataset, ordered so that a record comes after those that it names. */
export const sections = {
  propertyTypes: section(named, 'name'),
  projectStatuses: section(named.extend({ color: optionalName }), 'name'),
  sources: section(named.extend({ portal: flag(false), subSources: names }), 'name'),
  campaigns: section(named, 'name'),
  marketingTypes: section(named, 'name'),
  eventTypes: section(named, 'name'),
  websites: section(named.extend({ domain: lowerCaseName, name: optionalName }), 'domain'),
  leadTypes: section(named.extend({ aliases: names }), 'name'),
  languages: section(named.extend({ code: lowerCaseName, aliases: names }), 'code'),
  pools: section(named, 'name'),
  funnels: section(
    z.strictObject({
      id: optionalId,
      key: lowerCaseName,
      name,
      /** Without `stages` the funnel keeps those it has. */
      stages: z.array(name).min(1).nullish(),
    }),
    'key',
  ),
  developers: section(developerSchema, 'slug'),
  locations: section(locationSchema, 'key'),
  agents: section(agentSchema, 'email'),
  teams: section(teamSchema, 'name'),
  absences: section(absenceSchema, 'agent', 'from', 'to'),
  datedHours: section(datedHoursSchema, 'agent', 'from', 'to'),
  holidays: section(holidaySchema, 'name', 'from', 'to'),
  projects: section(projectSchema, 'slug'),
  listings: section(listingSchema, 'referenceNo'),
  quizFields: section(
    z.strictObject({
      quizKey: name,
      questionKey: name,
      field: name.refine(isFillable, 'Not a field of the lead that a quiz can fill'),
    }),
    'quizKey',
    'questionKey',
  ),
  knownAgents: section(knownAgentSchema),
  competitorDomains: section(domain),
  rules: section(ruleRecordSchema, 'name'),
} as const;

export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as SectionName[];

export type RecordOf<Name extends SectionName> = z.output<(typeof sections)[Name]['schema']>;

export function isSection(name: string): name is SectionName {
  return Object.hasOwn(sections, name);
}

/** A record in the database as a dataset has it; fields that are not set are left out. */
export type StoredRecord = Readonly<Record<string, unknown>> | string;

/** A record with its index in the file, by which issues name it. */
export interface Indexed<Value> {
  index: number;
  value: Value;
}

export type Dataset = { readonly [Name in SectionName]?: readonly Indexed<RecordOf<Name>>[] };

/** A dataset as it is read, so that it is never held in memory whole: each section, then its records. */
export type DatasetEvent =
  | { kind: 'section'; name: string; isList: boolean }
  | { kind: 'record'; section: string; index: number; value: unknown }
  /** The only event when what was read is no object. */
  | { kind: 'no dataset' };

export type DatasetEvents = Iterable<DatasetEvent> | AsyncIterable<DatasetEvent>;

/** A field of a record that may be of any type. */
export function fieldOf(record: unknown, field: string): unknown {
  return (record as Record<string, unknown> | null | undefined)?.[field];
}
