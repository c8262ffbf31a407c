import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import { lookupKey, type Entry, type LookupList } from '../lookups/lookup-list.ts';
import { agentCategories, currencies } from '../lookups/standard-lists.ts';
import type { ParsedDataset } from './parse-dataset.ts';
import { assignIds, naturalKey, type KnownRecords, type RecordIds } from './record-ids.ts';
import {
  allLanguages,
  createValueResolver,
  findCode,
  findUnknownNames,
  resolveRules,
} from './resolve-rules.ts';
import {
  fieldOf,
  referencesOf,
  sectionNames,
  sections,
  type Dataset,
  type Indexed,
  type RecordOf,
  type SectionName,
} from './sections.ts';

export function checkDataset(parsed: ParsedDataset, known: KnownRecords, newId: () => string) {
  const { dataset } = parsed;
  const { ids, issues: idIssues } = assignIds(parsed, known, newId);
  const tree = orderLocations(dataset.locations ?? [], known.parents, (parent) =>
    ids.placeKey(parent),
  );
  const languages = allLanguages(dataset, known);
  const resolveValue = createValueResolver(dataset, known, ids, languages);
  const scope = { ids, resolveValue };
  const resolved = resolveRules(dataset.rules ?? [], scope);
  const issues = [
    ...parsed.issues,
    ...findDuplicates(dataset),
    ...findSlugConflicts(dataset.agents ?? [], known.agentSlugs),
    ...idIssues,
    ...findUnknownReferences(parsed, ids),
    ...tree.issues,
    ...findUnknownCodes(parsed, languages),
    ...resolved.issues,
    ...findUnknownNames(parsed.invalid.rules ?? [], scope),
  ];
  if (issues.length > 0) return { kind: 'invalid', issues, ids, languages } as const;
  const ordered = dataset.locations ? { ...dataset, locations: tree.ordered } : dataset;
  const rules = dataset.rules ? resolved.rules : null;
  return { kind: 'valid', dataset: ordered, ids, languages, rules } as const;
}

function findDuplicates(dataset: Dataset): DatasetIssue[] {
  return [
    ...sectionNames.flatMap((section) => sameKeys(section, dataset)),
    ...(dataset.sources ?? []).flatMap(({ value, index }) =>
      sameNames(value.subSources, 'sources', index, 'subSources'),
    ),
    ...(dataset.teams ?? []).flatMap(({ value, index }) => {
      const agents = value.members.map(({ agent }) => agent);
      return sameNames(agents, 'teams', index, 'members');
    }),
  ];
}

function sameKeys(section: SectionName, dataset: Dataset): DatasetIssue[] {
  const field = sections[section].key.at(-1);
  if (field === undefined) return [];
  const records: readonly Indexed<unknown>[] = dataset[section] ?? [];
  const keys = records.map(({ value, index }) => [naturalKey(section, value), index] as const);
  return duplicates(keys).map(({ index, first }) =>
    issueAt([section, index, field], `is the same as that of ${section}[${first}]`),
  );
}

function sameNames(names: readonly string[], ...path: PropertyKey[]): DatasetIssue[] {
  return duplicates(names.map((name, at) => [lookupKey(name), at] as const)).map(({ index }) =>
    issueAt([...path, index], 'is there already'),
  );
}

function duplicates(keys: readonly (readonly [key: string, index: number])[]) {
  const seen = new Map<string, number>();
  return keys.flatMap(([key, index]) => {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined ? [] : [{ index, first }];
  });
}

export function findUnknownReferences(parsed: ParsedDataset, ids: RecordIds): DatasetIssue[] {
  const unknownText = (to: SectionName) => (text: string) => {
    if (ids.isKnown(to, text)) return null;
    const places = to === 'locations' ? ids.placesNamed(text) : [];
    return places.length > 1
      ? `"${text}" is the name of ${places.join(' and ')}: give the key`
      : `no record of ${to} is called "${text}"`;
  };
  return sectionNames.flatMap((section) => {
    const fields = referencesOf(section);
    return allRecords(parsed, section).flatMap((record) =>
      fields.flatMap(([field, to]) => findUnknown(section, record, field, unknownText(to))),
    );
  });
}

export function findUnknownCodes(parsed: ParsedDataset, languages: LookupList<Entry>) {
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

function allRecords({ dataset, invalid }: ParsedDataset, section: SectionName) {
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
export function orderLocations(
  locations: readonly Location[],
  parents: KnownRecords['parents'],
  keyOf: (parent: string) => string = lookupKey,
): { ordered: readonly Location[]; issues: DatasetIssue[] } {
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
    const location = inFile.get(key);
    const parent = location ? location.value.parent : parents.get(key);
    if (parent) visit(keyOf(parent), [...path, key], index);
    visited.add(key);
    if (location) ordered.push(location);
  }

  for (const { value, index } of locations) visit(value.key, [], index);
  return { ordered, issues };
}

type SlugRequest = Pick<RecordOf<'agents'>, 'email' | 'name' | 'slug'>;

/** An agent keeps its slug or gets a new one: "Zoë H." is `zoe-h`, the next `zoe-h-2`. `known`: slugs to emails. */
export function assignAgentSlugs(
  agents: readonly SlugRequest[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const given = new Map(
    agents.flatMap(({ email, slug }) => (slug === null ? [] : [[email, slug]])),
  );
  const taken = new Set(given.values());
  const kept = new Map<string, string>();
  for (const [slug, email] of known) {
    if (given.has(email) || taken.has(slug)) continue;
    kept.set(email, slug);
    taken.add(slug);
  }
  const slugs = new Map<string, string>();
  for (const { email, name } of agents) {
    const slug = given.get(email) ?? kept.get(email) ?? findFreeSlug(slugify(name), taken);
    taken.add(slug);
    slugs.set(email, slug);
  }
  return slugs;
}

function findSlugConflicts(
  agents: readonly Indexed<Omit<SlugRequest, 'name'>>[],
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

function findFreeSlug(wanted: string, taken: ReadonlySet<string>): string {
  let slug = wanted;
  for (let count = 2; taken.has(slug); count += 1) slug = `${wanted}-${count}`;
  return slug;
}

/** An accent does not end a word. */
function slugify(agentName: string): string {
  const words = agentName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join('-') ?? agentName;
}
