import type * as z from 'zod';
import {
  competitorDomainSchema,
  funnelSchema,
  knownAgentSchema,
  languageSchema,
  leadTypeSchema,
  namedSchema,
  projectStatusSchema,
  quizFieldSchema,
  sourceSchema,
  websiteSchema,
} from './list-records.ts';
import {
  agentSchema,
  developerSchema,
  listingSchema,
  locationSchema,
  projectSchema,
  ruleRecordSchema,
  teamSchema,
} from './records.ts';

/** `key` are the fields that are the natural key; none: a record is its own key. */
function section<Schema extends z.ZodType>(schema: Schema, ...key: string[]) {
  return { schema, key };
}

/** Every section of a dataset, ordered so that a record comes after those that it names. */
export const sections = {
  propertyTypes: section(namedSchema, 'name'),
  projectStatuses: section(projectStatusSchema, 'name'),
  sources: section(sourceSchema, 'name'),
  campaigns: section(namedSchema, 'name'),
  marketingTypes: section(namedSchema, 'name'),
  eventTypes: section(namedSchema, 'name'),
  websites: section(websiteSchema, 'domain'),
  leadTypes: section(leadTypeSchema, 'name'),
  languages: section(languageSchema, 'code'),
  pools: section(namedSchema, 'name'),
  funnels: section(funnelSchema, 'key'),
  developers: section(developerSchema, 'slug'),
  locations: section(locationSchema, 'key'),
  agents: section(agentSchema, 'email'),
  teams: section(teamSchema, 'name'),
  projects: section(projectSchema, 'slug'),
  listings: section(listingSchema, 'referenceNo'),
  quizFields: section(quizFieldSchema, 'quizKey', 'questionKey'),
  knownAgents: section(knownAgentSchema),
  competitorDomains: section(competitorDomainSchema),
  rules: section(ruleRecordSchema, 'name'),
} as const;

export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as SectionName[];

export type RecordOf<Name extends SectionName> = z.output<(typeof sections)[Name]['schema']>;

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

export function* datasetEvents(json: unknown): Generator<DatasetEvent> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    yield { kind: 'no dataset' };
    return;
  }
  for (const [section, records] of Object.entries(json)) {
    if (records === undefined) continue;
    yield { kind: 'section', name: section, isList: Array.isArray(records) };
    for (const [index, value] of Array.isArray(records) ? records.entries() : [])
      yield { kind: 'record', section, index, value };
  }
}
