import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import type { AliasedEntry } from '../lookups/crm-lists.ts';
import { funnelKey } from '../lookups/funnel-matching.ts';
import { lookupKey } from '../lookups/lookup-list.ts';
import type { LanguageNames } from '../lookups/standard-lists.ts';
import { recordKey, type ParsedDataset } from './parse-dataset.ts';
import { fieldOf, sectionNames, sections, type Dataset, type SectionName } from './sections.ts';

/** The name of a sub-source is `source/sub-source`. */
export type RecordKind = SectionName | 'subSources';

export interface KnownRecords {
  ids: readonly { kind: RecordKind; key: string; id: string }[];
  /** Keys of locations to keys of their parents. */
  parents: ReadonlyMap<string, string | null>;
  placeNames: readonly (readonly [name: string, key: string])[];
  languages: readonly LanguageNames[];
  leadTypes: readonly AliasedEntry[];
  /** With the company's own name filled in. */
  funnels: readonly { id: string; key: string; name: string }[];
  /** Slugs to emails. */
  agentSlugs: ReadonlyMap<string, string>;
}

export class RecordIds {
  readonly #byKind = new Map<RecordKind, Map<string, string>>();
  readonly #owners = new Map<string, string>();
  readonly #placeKeys = new Map<string, Set<string>>();
  readonly #invalidKeys: ReadonlySet<string>;

  constructor(known: KnownRecords['ids'], invalidKeys: ReadonlySet<string>) {
    for (const { kind, key, id } of known) this.add(kind, key, id);
    this.#invalidKeys = invalidKeys;
  }

  /** Includes invalid records of the file: a reference to one is not a second issue. */
  isKnown(section: SectionName, name: string): boolean {
    return (
      this.find(section, name) !== undefined || this.#invalidKeys.has(recordKey(section, name))
    );
  }

  find(kind: RecordKind, name: string): string | undefined {
    const key = keyOf(kind, name);
    const ids = this.#byKind.get(kind);
    return ids?.get(key) ?? (kind === 'locations' ? ids?.get(this.placeKey(name)) : undefined);
  }

  placeKey(name: string): string {
    const [first = '', ...others] = this.placesNamed(name);
    const key = lookupKey(name);
    const isKey = this.#byKind.get('locations')?.has(key) === true;
    return isKey || first === '' || others.length > 0 ? key : first;
  }

  placesNamed(name: string): readonly string[] {
    return [...(this.#placeKeys.get(lookupKey(name)) ?? [])].toSorted();
  }

  /** Call it once the locations of the file have ids, so that a key is never taken for another location's name. */
  addPlaceName(name: string, key: string): void {
    const keys = this.#placeKeys.get(lookupKey(name)) ?? new Set();
    this.#placeKeys.set(lookupKey(name), keys.add(key));
  }

  of(kind: RecordKind, name: string): string {
    const id = this.find(kind, name);
    if (id === undefined) throw new Error(`No record of ${kind} has the name ${name}.`);
    return id;
  }

  ownerOf(id: string): string | undefined {
    return this.#owners.get(id);
  }

  add(kind: RecordKind, name: string, id: string): void {
    const ids = this.#byKind.get(kind) ?? new Map<string, string>();
    const key = keyOf(kind, name);
    // Several stored records may share a key: the one stored under it wins.
    if (name === key || !ids.has(key)) this.#byKind.set(kind, ids.set(key, id));
    this.#owners.set(id, `${kind} ${key}`);
  }

  entries(kind: RecordKind): Iterable<[key: string, id: string]> {
    return this.#byKind.get(kind) ?? [];
  }
}

/** Listings are matched in the database, and some sections have no id. */
function hasAssignedId(section: SectionName): boolean {
  const { schema } = sections[section];
  return section !== 'listings' && 'shape' in schema && 'id' in schema.shape;
}

/** The id of a record never changes. */
export function assignIds(
  { dataset, invalidKeys }: ParsedDataset,
  known: KnownRecords,
  newId: () => string,
) {
  const ids = new RecordIds(known.ids, invalidKeys);
  const issues: DatasetIssue[] = [];
  for (const section of sectionNames) {
    if (!hasAssignedId(section)) continue;
    for (const { value, index } of dataset[section] ?? []) {
      const key = naturalKey(section, value);
      const given = (value as { id?: string }).id;
      const id = ids.find(section, key) ?? given ?? newId();
      const message = given && idIssue(given, id, ids.ownerOf(given), `${section} ${key}`);
      if (message) issues.push(issueAt([section, index, 'id'], message));
      ids.add(section, key, id);
    }
  }
  for (const { value: source } of dataset.sources ?? [])
    for (const name of source.subSources) {
      const key = subSourceKey(source.name, name);
      ids.add('subSources', key, ids.find('subSources', key) ?? newId());
    }
  addPlaceNames(ids, dataset, known);
  return { ids, issues };
}

/** The file's names of a location replace its former ones. */
function addPlaceNames(ids: RecordIds, { locations = [] }: Dataset, known: KnownRecords): void {
  const given = new Set(locations.map(({ value }) => value.key));
  for (const [name, key] of known.placeNames) if (!given.has(key)) ids.addPlaceName(name, key);
  for (const { value } of locations)
    for (const name of [value.name, value.nameAr])
      if (name !== null) ids.addPlaceName(name, value.key);
}

/** Two listings may share a number if their ids differ. */
export function naturalKey(section: SectionName, record: unknown): string {
  const { id } = record as { id?: string };
  if (section === 'listings' && id) return id;
  const values = sections[section].key.map((field) => String(fieldOf(record, field) ?? ''));
  // Joined by a separator that a value may contain, two records could share a key.
  return keyOf(section, values.length > 1 ? JSON.stringify(values) : values.join());
}

/** An enquiry tells funnels apart by `funnelKey`, and answers tell quizzes and questions apart by case. */
function keyOf(kind: RecordKind, name: string): string {
  if (kind === 'quizFields') return name;
  return kind === 'funnels' ? funnelKey(name) : lookupKey(name);
}

export function subSourceKey(source: string, subSource: string): string {
  return `${lookupKey(source)}/${lookupKey(subSource)}`;
}

function idIssue(given: string, id: string, owner: string | undefined, record: string) {
  if (given !== id) return `is not the id that this record has already, ${id}`;
  return owner === undefined || owner === record ? null : `is the id of ${owner}`;
}
