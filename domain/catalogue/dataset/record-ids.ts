import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import type { AliasedEntry } from '../lookups/crm-lists.ts';
import { funnelKey } from '../lookups/funnel-matching.ts';
import { lookupKey } from '../lookups/lookup-list.ts';
import type { LanguageNames } from '../lookups/standard-lists.ts';
import { recordKey, type ParsedDataset } from './parse-dataset.ts';
import { fieldOf, sectionNames, sections, type Dataset, type SectionName } from './sections.ts';

/** What a name can refer to: a record of a section, or a sub-source as `source/sub-source`. */
export type RecordKind = SectionName | 'subSources';

/** The records in the database that a dataset may refer to or conflict with. */
export interface KnownRecords {
  ids: readonly { kind: RecordKind; key: string; id: string }[];
  /** Key of a location to the key of its parent. */
  parents: ReadonlyMap<string, string | null>;
  placeNames: readonly (readonly [name: string, key: string])[];
  languages: readonly LanguageNames[];
  leadTypes: readonly AliasedEntry[];
  /** Funnels, with the company's own name filled in. */
  funnels: readonly { id: string; key: string; name: string }[];
  /** Slug to e-mail. */
  agentSlugs: ReadonlyMap<string, string>;
}

/** Natural keys to ids, of the records in the file together with those in the database. */
export class RecordIds {
  readonly #byKind = new Map<RecordKind, Map<string, string>>();
  readonly #owners = new Map<string, string>();
  readonly #placeKeys = new Map<string, Set<string>>();
  readonly #invalidKeys: ReadonlySet<string>;

  constructor(known: KnownRecords['ids'], invalidKeys: ReadonlySet<string>) {
    for (const { kind, key, id } of known) this.add(kind, key, id);
    this.#invalidKeys = invalidKeys;
  }

  /** Whether a record has the name, be it an invalid one of the file: the reference to it is no second issue. */
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

  /** The key of a location by its key, or by a name that no other one has. */
  placeKey(name: string): string {
    const [first = '', ...others] = this.placesNamed(name);
    const key = lookupKey(name);
    const isKey = this.#byKind.get('locations')?.has(key) === true;
    return isKey || first === '' || others.length > 0 ? key : first;
  }

  placesNamed(name: string): readonly string[] {
    return [...(this.#placeKeys.get(lookupKey(name)) ?? [])].toSorted();
  }

  /** Call it once the locations of the file have their ids, so that a key is never taken for another one's name. */
  addPlaceName(name: string, key: string): void {
    const keys = this.#placeKeys.get(lookupKey(name)) ?? new Set();
    this.#placeKeys.set(lookupKey(name), keys.add(key));
  }

  /** For a name in a dataset that was checked: the record exists. */
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
    // Stored records may share a key by now: prefers the one that is stored under it.
    if (name === key || !ids.has(key)) this.#byKind.set(kind, ids.set(key, id));
    this.#owners.set(id, `${kind} ${key}`);
  }

  entries(kind: RecordKind): Iterable<[key: string, id: string]> {
    return this.#byKind.get(kind) ?? [];
  }
}

/** Listings are matched in the database; the records of some other sections have no id. */
function hasAssignedId(section: SectionName): boolean {
  const { schema } = sections[section];
  return section !== 'listings' && 'shape' in schema && 'id' in schema.shape;
}

/** An id belongs to one record for good: giving another's, or another than before, is an issue. */
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

/** A location of the file has the names that the file gives it, and no former one. */
function addPlaceNames(ids: RecordIds, { locations = [] }: Dataset, known: KnownRecords): void {
  const given = new Set(locations.map(({ value }) => value.key));
  for (const [name, key] of known.placeNames) if (!given.has(key)) ids.addPlaceName(name, key);
  for (const { value } of locations)
    for (const name of [value.name, value.nameAr])
      if (name !== null) ids.addPlaceName(name, value.key);
}

/** A listing is known by its id, else by its number: two may share a number when their ids differ. */
export function naturalKey(section: SectionName, record: unknown): string {
  const { id } = record as { id?: string };
  if (section === 'listings' && id) return id;
  const values = sections[section].key.map((field) => String(fieldOf(record, field) ?? ''));
  // JSON keeps the values apart: joined by a sign that one may contain, two records could share a key.
  return keyOf(section, values.length > 1 ? JSON.stringify(values) : values.join());
}

/**
 * Two funnels whose keys an enquiry could not tell apart are one record. Quizzes and their questions are told apart by case
 * too, as in answers.
 */
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
