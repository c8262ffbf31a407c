import type * as z from 'zod';
import { competitorDomainSchema, knownAgentSchema, quizFieldSchema } from './records/hygiene.ts';
import {
  funnelSchema,
  languageSchema,
  leadTypeSchema,
  namedSchema,
  projectStatusSchema,
  sourceSchema,
  websiteSchema,
} from './records/lists.ts';
import { agentSchema, teamSchema } from './records/people.ts';
import { developerSchema, listingSchema, locationSchema, projectSchema } from './records/places.ts';
import { ruleRecordSchema } from './records/rules.ts';

interface Section<Schema extends z.ZodType> {
  schema: Schema;
  /** The fields that are the natural key; none: a record is its own key. */
  key: readonly string[];
}

function section<Schema extends z.ZodType>(schema: Schema, ...key: string[]): Section<Schema> {
  return { schema, key };
}

/** Every section of a dataset, in an order in which records come after those that they name. */
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

/** A record with its place in the file, which is kept where other records were left out. */
export interface Indexed<Value> {
  index: number;
  value: Value;
}

export type Dataset = { readonly [Name in SectionName]?: readonly Indexed<RecordOf<Name>>[] };
