import * as z from 'zod';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { competitorDomains, knownAgents, quizFields } from './intake.ts';
import {
  campaigns,
  eventTypes,
  funnels,
  languages,
  leadTypes,
  marketingTypes,
  pools,
  projectStatuses,
  propertyTypes,
  sources,
  websites,
} from './lists.ts';
import { absences, agents, datedHours, holidays, teams } from './people.ts';
import { developers, listings, locations, projects, readListingKey } from './property.ts';
import { nameKey, type SectionName } from './record-ids.ts';
import { rules } from './rules.ts';
import { fieldOf, type Section, type StoredRecord } from './section.ts';

const sections = {
  propertyTypes,
  projectStatuses,
  sources,
  campaigns,
  marketingTypes,
  eventTypes,
  websites,
  leadTypes,
  languages,
  pools,
  funnels,
  developers,
  locations,
  agents,
  teams,
  absences,
  datedHours,
  holidays,
  projects,
  listings,
  quizFields,
  knownAgents,
  competitorDomains,
  rules,
};

/** Without the types of the section's own fields. */
export const sectionOf = (name: SectionName) => sections[name] as Section;

export type RecordOf<Name extends SectionName> = z.output<(typeof sections)[Name]['schema']>;

export interface Indexed<Value> {
  index: number;
  value: Value;
}

export type Dataset = { readonly [Name in SectionName]?: readonly Indexed<RecordOf<Name>>[] };

export function isSection(name: string): name is SectionName {
  return Object.hasOwn(sections, name);
}

/** Two listings may share a number if their ids differ. */
export function naturalKey(section: SectionName, record: unknown): string {
  const { id } = record as { id?: string };
  if (section === 'listings' && id) return id;
  const { key } = sectionOf(section);
  if (key.length === 0) return canonicalJson(record);
  const values = key.map((field) => String(fieldOf(record, field) ?? ''));
  // Joined by a separator that a value may contain, two records could share a key.
  return nameKey(section, values.length > 1 ? JSON.stringify(values) : values.join());
}

/** The natural key of a record of a file. Null if a field of it is missing or invalid. */
export function readKey(section: SectionName, given: unknown): string | null {
  if (section === 'listings') {
    const { id, number } = readListingKey(given);
    return id ?? (number === undefined ? null : nameKey(section, number));
  }
  const { schema, key } = sectionOf(section);
  const record = schema instanceof z.ZodPipe ? schema.out : schema;
  if (key.length === 0 || !(record instanceof z.ZodObject)) return null;
  const values = key.map((field) => {
    const { data } = (record.shape[field] as z.ZodType).safeParse(fieldOf(given, field));
    return [field, data] as const;
  });
  const isValid = values.every(([, value]) => value !== undefined);
  return isValid ? naturalKey(section, Object.fromEntries(values)) : null;
}

export function recordLabel(section: SectionName, record: StoredRecord): string {
  if (typeof record === 'string') return record;
  const { key } = sectionOf(section);
  const values = key.length > 0 ? key.map((field) => record[field]) : Object.values(record);
  return values.map(String).join(' ');
}
