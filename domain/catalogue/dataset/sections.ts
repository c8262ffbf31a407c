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
  teamSchema,
} from './records.ts';
import { ruleRecordSchema } from './rule-record.ts';

interface Section<Schema extends z.ZodType> {
  schema: Schema;
  /** The fields that are the natural key; none: a record is its own key. */
  key: readonly string[];
}

function section<Schema extends z.ZodType>(schema: Schema, ...key: string[]): Section<Schema> {
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
