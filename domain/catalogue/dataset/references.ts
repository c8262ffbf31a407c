import type { Entry, LookupList } from '../lookups/lookup-list.ts';
import { agentCategories, currencies } from '../lookups/standard-lists.ts';
import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import { allRecords, recordKey, type ParsedDataset } from './parse-dataset.ts';
import type { RecordIds } from './record-ids.ts';
import { sectionNames, type Indexed, type SectionName } from './sections.ts';

/** A field that names other records: a text or a list of texts, or, with `inner`, a field of a list's entries. */
interface NamingField {
  field: string;
  inner?: string;
}

export interface Reference extends NamingField {
  to: SectionName;
}

/** Which field of which section names a record of which other one. */
export const references: { readonly [Name in SectionName]?: readonly Reference[] } = {
  locations: [{ field: 'parent', to: 'locations' }],
  agents: [{ field: 'locations', to: 'locations' }],
  teams: [{ field: 'members', inner: 'agent', to: 'agents' }],
  projects: [
    { field: 'developer', to: 'developers' },
    { field: 'location', to: 'locations' },
    { field: 'status', to: 'projectStatuses' },
    { field: 'propertyTypes', to: 'propertyTypes' },
  ],
  listings: [
    { field: 'developer', to: 'developers' },
    { field: 'location', to: 'locations' },
    { field: 'propertyType', to: 'propertyTypes' },
    { field: 'agent', to: 'agents' },
  ],
};

/** Names of records that are neither in the file nor in the database. */
export function findUnknownReferences(parsed: ParsedDataset, ids: RecordIds): DatasetIssue[] {
  const isKnown = (to: SectionName, text: string) =>
    ids.find(to, text) !== undefined || parsed.invalidKeys.has(recordKey(to, text));
  const unknownIn = (section: SectionName, record: Indexed<unknown>, reference: Reference) =>
    namesIn(section, record, reference)
      .filter(({ text }) => !isKnown(reference.to, text))
      .map(({ path, text }) => issueAt(path, `no record of ${reference.to} is called "${text}"`));
  return sectionNames.flatMap((section) => {
    const fields = references[section];
    if (!fields) return [];
    return allRecords(parsed, section).flatMap((record) =>
      fields.flatMap((reference) => unknownIn(section, record, reference)),
    );
  });
}

/** Languages, categories and currencies that their lists do not have. */
export function findUnknownCodes(
  parsed: ParsedDataset,
  languages: LookupList<Entry>,
): DatasetIssue[] {
  return [
    ...unknownCodes(parsed, 'agents', 'languages', languages, 'language'),
    ...unknownCodes(parsed, 'agents', 'category', agentCategories, 'category'),
    ...unknownCodes(parsed, 'listings', 'currency', currencies, 'currency'),
  ];
}

/** The code of a language, currency or category, which may be given by name; undefined for none. */
export function findCode(list: LookupList<Entry>, text: string): string | undefined {
  const outcome = list.resolve(text);
  return outcome.kind === 'matched' ? outcome.entry.id : undefined;
}

function unknownCodes(
  parsed: ParsedDataset,
  section: SectionName,
  field: string,
  list: LookupList<Entry>,
  what: string,
): DatasetIssue[] {
  return allRecords(parsed, section)
    .flatMap((record) => namesIn(section, record, { field }))
    .filter(({ text }) => findCode(list, text) === undefined)
    .map(({ path, text }) => issueAt(path, `no ${what} is called "${text}"`));
}

interface NamedText {
  path: PropertyKey[];
  text: string;
}

/** The names in a field of a record as it came; the schema reports a value that is no text. */
function namesIn(
  section: SectionName,
  { value, index }: Indexed<unknown>,
  { field, inner }: NamingField,
): NamedText[] {
  const named = fieldOf(value, field);
  const at = (...path: PropertyKey[]) => [section, index, field, ...path];
  if (!Array.isArray(named)) return textAt(at(), named);
  return named.flatMap((entry: unknown, each) =>
    inner === undefined ? textAt(at(each), entry) : textAt(at(each, inner), fieldOf(entry, inner)),
  );
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[field]
    : undefined;
}

function textAt(path: PropertyKey[], text: unknown): NamedText[] {
  return typeof text === 'string' && text.trim() !== '' ? [{ path, text }] : [];
}
