import type { Entry, LookupList } from '../lookups/lookup-list.ts';
import { agentCategories, currencies } from '../lookups/standard-lists.ts';
import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import { recordKey, type ParsedDataset } from './parse-dataset.ts';
import type { RecordIds } from './record-ids.ts';
import { fieldOf, sectionNames, type Indexed, type SectionName } from './sections.ts';

/** Which field of which section names records of which other one. `a.b` is the field b of the entries of a list. */
export const references: {
  readonly [Name in SectionName]?: Readonly<Record<string, SectionName>>;
} = {
  locations: { parent: 'locations' },
  agents: { locations: 'locations' },
  teams: { 'members.agent': 'agents' },
  absences: { agent: 'agents' },
  datedHours: { agent: 'agents' },
  projects: {
    developer: 'developers',
    location: 'locations',
    status: 'projectStatuses',
    propertyTypes: 'propertyTypes',
  },
  listings: {
    developer: 'developers',
    location: 'locations',
    propertyType: 'propertyTypes',
    agent: 'agents',
  },
};

/** Names of records that are neither in the file nor in the database. */
export function findUnknownReferences(parsed: ParsedDataset, ids: RecordIds): DatasetIssue[] {
  const unknownText = (to: SectionName) => (text: string) => {
    if (ids.find(to, text) !== undefined || parsed.invalidKeys.has(recordKey(to, text)))
      return null;
    const places = to === 'locations' ? ids.placesNamed(text) : [];
    return places.length > 1
      ? `"${text}" is the name of ${places.join(' and ')}: give the key`
      : `no record of ${to} is called "${text}"`;
  };
  return sectionNames.flatMap((section) => {
    const fields = Object.entries(references[section] ?? {});
    return allRecords(parsed, section).flatMap((record) =>
      fields.flatMap(([field, to]) => findUnknown(section, record, field, unknownText(to))),
    );
  });
}

/** Languages, categories and currencies that their lists do not have. */
export function findUnknownCodes(
  parsed: ParsedDataset,
  languages: LookupList<Entry>,
): DatasetIssue[] {
  const codes = [
    ['agents', 'languages', languages, 'language'],
    ['agents', 'category', agentCategories, 'category'],
    ['listings', 'currency', currencies, 'currency'],
  ] as const;
  return codes.flatMap(([section, field, list, what]) => {
    const unknownText = (text: string) =>
      findCode(list, text) === undefined ? `no ${what} is called "${text}"` : null;
    return allRecords(parsed, section).flatMap((record) =>
      findUnknown(section, record, field, unknownText),
    );
  });
}

/** The code of a language, currency or category, which may be given by name; undefined for none. */
export function findCode(list: LookupList<Entry>, text: string): string | undefined {
  return list.resolve(text)?.id;
}

/** The valid records of a section, then the invalid ones. */
function allRecords(
  { dataset, invalid }: ParsedDataset,
  section: SectionName,
): readonly Indexed<unknown>[] {
  return [...(dataset[section] ?? []), ...(invalid[section] ?? [])];
}

/** The unknown names in a field of a record as it came; the schema reports a value that is no text. */
function findUnknown(
  section: SectionName,
  { value, index }: Indexed<unknown>,
  namingField: string,
  unknownText: (text: string) => string | null,
): DatasetIssue[] {
  const [field = '', ...inner] = namingField.split('.');
  const named = fieldOf(value, field);
  const entries: unknown[] = Array.isArray(named) ? named : [named];
  return entries.flatMap((entry, each) => {
    const text = inner.reduce(fieldOf, entry);
    if (typeof text !== 'string' || text.trim() === '') return [];
    const message = unknownText(text);
    const path = Array.isArray(named) ? [field, each, ...inner] : [field];
    return message === null ? [] : [issueAt([section, index, ...path], message)];
  });
}
