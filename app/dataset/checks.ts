import * as z from 'zod';
import { isRecord } from '../../domain/canonical-json.ts';
import {
  lookupKey,
  type Entry,
  type LookupList,
} from '../../domain/catalogue/lookups/lookup-list.ts';
import { agentCategories, currencies } from '../../domain/catalogue/lookups/standard-lists.ts';
import { nearestName, plainForm } from '../../domain/near-name.ts';
import { issueAt, plainMessage, type DatasetIssue } from '../../domain/validation-issues.ts';
import type { KnownRecords } from '../../store/dataset/known-records.ts';
import {
  RecordIds,
  sectionNames,
  subSourceKey,
  type RecordKind,
  type SectionName,
} from '../../store/dataset/record-ids.ts';
import { fieldOf, type StoredRecord } from '../../store/dataset/section.ts';
import {
  isSection,
  naturalKey,
  readKey,
  sectionOf,
  type Dataset,
  type Indexed,
  type RecordOf,
} from '../../store/dataset/sections.ts';
import {
  createValueResolver,
  findUnknownNames,
  languagesOf,
  resolveRules,
} from './resolve-rules.ts';

/** A file as JSON. A record that is undefined could not be read and has an issue. */
export interface GivenDataset {
  dataset: unknown;
  issues?: readonly DatasetIssue[];
  /** Keys of records that could not be read. */
  unreadKeys?: readonly (readonly [section: SectionName, key: string])[];
}

export type StoredRecords = ReadonlyMap<SectionName, ReadonlyMap<string, StoredRecord>>;

export interface ParsedDataset {
  dataset: Dataset;
  issues: DatasetIssue[];
  /** A reference to an invalid record is not a second issue. */
  invalidKeys: ReadonlySet<string>;
  invalid: Readonly<Partial<Record<SectionName, readonly Indexed<unknown>[]>>>;
}

/** Keeps the stored value of each field that the file omits. Continues after an issue, so that it finds all. */
export function parseDataset(
  { dataset, issues: found = [], unreadKeys = [] }: GivenDataset,
  stored: StoredRecords = new Map(),
): ParsedDataset {
  const valid: Partial<Record<SectionName, Indexed<unknown>[]>> = {};
  const invalid: typeof valid = {};
  const issues = [...found];
  const invalidKeys = new Set(unreadKeys.map(([section, key]) => recordKey(section, key)));

  function readRecord(section: SectionName, index: number, given: unknown): void {
    const { schema, key } = sectionOf(section);
    const value = overlay(section, stored, given);
    const { data, error } = schema.safeParse(value, { error: plainMessage });
    if (!error) return void valid[section]?.push({ index, value: data });
    (invalid[section] ??= []).push({ index, value });
    const keyText = key[0] && fieldOf(value, key[0]);
    if (keyText !== undefined) invalidKeys.add(recordKey(section, String(keyText)));
    issues.push(...error.issues.flatMap((issue) => schemaIssues(section, index, issue)));
  }

  if (!isRecord(dataset))
    issues.push({ place: 'dataset', message: 'Expected an object with a list per section' });
  else
    for (const [name, records] of Object.entries(dataset)) {
      const message = sectionIssue(name, records);
      if (message) issues.push({ place: name, message });
      if (!isSection(name) || !Array.isArray(records)) continue;
      valid[name] = [];
      for (const [index, record] of records.entries())
        if (record !== undefined) readRecord(name, index, record);
    }
  return { dataset: valid as Dataset, issues, invalidKeys, invalid };
}

function sectionIssue(name: string, records: unknown): string | null {
  if (name === '$schema' && !Array.isArray(records)) return null;
  if (!isSection(name)) return 'is not a section';
  return Array.isArray(records) ? null : 'Expected a list of records';
}

function overlay(section: SectionName, stored: StoredRecords, given: unknown): unknown {
  const key = readKey(section, given);
  const known = key === null ? undefined : stored.get(section)?.get(key);
  if (!isRecord(given) || !isRecord(known)) return given;
  return sectionOf(section).overlay?.(known, given) ?? { ...known, ...given };
}

function schemaIssues(section: SectionName, index: number, issue: z.core.$ZodIssue) {
  const path = [section, index, ...issue.path];
  if (issue.code !== 'unrecognized_keys') return [issueAt(path, issue.message)];
  return issue.keys.map((key) => {
    const near = issue.path.length === 0 ? nearestField(section, key) : undefined;
    const message = near === undefined ? 'is not known' : `is not known; ${near} is`;
    return issueAt([...path, key], message);
  });
}

function nearestField(section: SectionName, name: string): string | undefined {
  const { schema } = sectionOf(section);
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return nearestName(
    name,
    fields.map((field) => ({ name: field, form: plainForm(field) })),
  );
}

const recordKey = (section: SectionName, name: string) => `${section}/${lookupKey(name)}`;

export type Checked = ReturnType<typeof checkDataset>;

export function checkDataset(parsed: ParsedDataset, known: KnownRecords, newId: () => string) {
  const { dataset, invalidKeys } = parsed;
  const { ids, issues: idIssues } = assignIds(dataset, known, newId);
  const tree = orderLocations(dataset.locations ?? [], ids);
  const languages = languagesOf(ids);
  const isKnown = (section: SectionName, name: string) =>
    ids.find(section, name) !== undefined || invalidKeys.has(recordKey(section, name));
  const scope = { ids, isKnown, resolveValue: createValueResolver(ids, languages) };
  const resolved = resolveRules(dataset.rules ?? [], scope);
  const issues = [
    ...parsed.issues,
    ...findDuplicates(parsed),
    ...findSlugConflicts(dataset.agents ?? [], known.agentSlugs),
    ...idIssues,
    ...findUnknownReferences(parsed, ids, isKnown),
    ...tree.issues,
    ...findUnknownCodes(parsed, languages),
    ...resolved.issues,
    ...findUnknownNames(parsed.invalid.rules ?? [], scope),
  ];
  if (issues.length > 0) return { kind: 'invalid', issues } as const;
  const ordered = dataset.locations ? { ...dataset, locations: tree.ordered } : dataset;
  return { kind: 'valid', dataset: ordered, ids, languages, rules: resolved.rules } as const;
}

/** The id of a record never changes. The file's names of a record replace its former ones. */
function assignIds(dataset: Dataset, known: KnownRecords, newId: () => string) {
  const ids = new RecordIds(known.records);
  const issues: DatasetIssue[] = [];
  function addRecord(kind: RecordKind, key: string, value: NamedRecord): string {
    const id = ids.byKey(kind, key)?.id ?? value.id ?? newId();
    const names = [value.name, value.nameAr, ...(value.aliases ?? [])];
    const { parent = null } = value;
    ids.add({ kind, key, id, names: names.filter((name) => typeof name === 'string'), parent });
    return id;
  }
  for (const section of sectionNames) {
    const { schema } = sectionOf(section);
    if (!(schema instanceof z.ZodObject && 'id' in schema.shape)) continue;
    for (const { value, index } of dataset[section] ?? []) {
      const key = naturalKey(section, value);
      const given = (value as NamedRecord).id;
      const owner = given && ids.ownerOf(given);
      const id = addRecord(section, key, value as NamedRecord);
      const message = given && idIssue(given, id, owner, `${section} ${key}`);
      if (message) issues.push(issueAt([section, index, 'id'], message));
    }
  }
  for (const { value: source } of dataset.sources ?? [])
    for (const name of source.subSources)
      addRecord('subSources', subSourceKey(source.name, name), {});
  return { ids, issues };
}

interface NamedRecord {
  id?: string;
  name?: string | null;
  nameAr?: string | null;
  aliases?: readonly string[];
  parent?: string | null;
}

function idIssue(given: string, id: string, owner: string | undefined, record: string) {
  if (given !== id) return `is not the id that this record has already, ${id}`;
  return owner === undefined || owner === record ? null : `is the id of ${owner}`;
}

function findDuplicates(parsed: ParsedDataset): DatasetIssue[] {
  const { dataset } = parsed;
  return [
    ...sectionNames.flatMap((section) => sameKeys(section, parsed)),
    ...(dataset.sources ?? []).flatMap(({ value, index }) =>
      sameNames(value.subSources, 'sources', index, 'subSources'),
    ),
    ...(dataset.teams ?? []).flatMap(({ value, index }) => {
      const agents = value.members.map(({ agent }) => agent);
      return sameNames(agents, 'teams', index, 'members');
    }),
  ];
}

function sameKeys(section: SectionName, parsed: ParsedDataset): DatasetIssue[] {
  const field = sectionOf(section).key.at(-1);
  if (field === undefined) return [];
  // Listings are matched before they are checked, so an invalid one counts too.
  const records = section === 'listings' ? allRecords(parsed, section) : parsed.dataset[section];
  const keys = [...(records ?? [])]
    .toSorted((a, b) => a.index - b.index)
    .map(({ value, index }) => [readKey(section, value), index] as const)
    .filter(([key]) => key !== null);
  return duplicates(keys).map(({ index, first }) =>
    issueAt([section, index, field], `is the same as that of ${section}[${first}]`),
  );
}

function sameNames(names: readonly string[], ...path: PropertyKey[]): DatasetIssue[] {
  return duplicates(names.map((name, at) => [lookupKey(name), at] as const)).map(({ index }) =>
    issueAt([...path, index], 'is there already'),
  );
}

function duplicates(keys: readonly (readonly [key: string | null, index: number])[]) {
  const seen = new Map<string | null, number>();
  return keys.flatMap(([key, index]) => {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined ? [] : [{ index, first }];
  });
}

function findUnknownReferences(
  parsed: ParsedDataset,
  ids: RecordIds,
  isKnown: (section: SectionName, name: string) => boolean,
): DatasetIssue[] {
  const unknownText = (to: SectionName) => (text: string) => {
    if (isKnown(to, text)) return null;
    const locations = to === 'locations' ? ids.locationsNamed(text) : [];
    return locations.length > 1
      ? `"${text}" is the name of ${locations.join(' and ')}: give the key`
      : `no record of ${to} is called "${text}"`;
  };
  return sectionNames.flatMap((section) => {
    const fields = Object.entries(sectionOf(section).references);
    return allRecords(parsed, section).flatMap((record) =>
      fields.flatMap(([field, to]) => findUnknown(section, record, field, unknownText(to))),
    );
  });
}

function findUnknownCodes(parsed: ParsedDataset, languages: LookupList<Entry>) {
  const codes = [
    ['agents', 'languages', languages, 'language'],
    ['agents', 'category', agentCategories, 'category'],
    ['listings', 'currency', currencies, 'currency'],
  ] as const;
  return codes.flatMap(([section, field, list, what]) => {
    const unknownText = (text: string) =>
      list.resolve(text) ? null : `no ${what} is called "${text}"`;
    return allRecords(parsed, section).flatMap((record) =>
      findUnknown(section, record, field, unknownText),
    );
  });
}

function allRecords({ dataset, invalid }: ParsedDataset, section: SectionName): Indexed<unknown>[] {
  return [...(dataset[section] ?? []), ...(invalid[section] ?? [])];
}

/** Reads a record as it came. The schema reports a value that is not a string. */
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

type Location = Indexed<RecordOf<'locations'>>;

/** Sorts parents before children. A cycle may include locations in the database. */
function orderLocations(locations: readonly Location[], ids: RecordIds) {
  const inFile = new Map(locations.map((location) => [location.value.key, location]));
  const visited = new Set<string>();
  const ordered: Location[] = [];
  const issues: DatasetIssue[] = [];

  function visit(key: string, path: readonly string[], index: number): void {
    if (visited.has(key)) return;
    if (path.includes(key)) {
      const cycle = [...path.slice(path.indexOf(key)), key].join(' in ');
      issues.push(issueAt(['locations', index, 'parent'], `lies in itself: ${cycle}`));
      return;
    }
    const parent = ids.byKey('locations', key)?.parent;
    if (parent) visit(ids.locationKey(parent), [...path, key], index);
    visited.add(key);
    const location = inFile.get(key);
    if (location) ordered.push(location);
  }

  for (const { value, index } of locations) visit(value.key, [], index);
  return { ordered, issues };
}

function findSlugConflicts(
  agents: readonly Indexed<Pick<RecordOf<'agents'>, 'email' | 'slug'>>[],
  known: ReadonlyMap<string, string>,
): DatasetIssue[] {
  const inFile = new Set(agents.map(({ value }) => value.email));
  const owners = new Map([...known].filter(([, email]) => !inFile.has(email)));
  return agents.flatMap(({ value: { slug, email }, index }) => {
    if (slug === null) return [];
    const owner = owners.get(slug) ?? email;
    owners.set(slug, owner);
    return owner === email ? [] : [issueAt(['agents', index, 'slug'], `is that of ${owner} too`)];
  });
}
