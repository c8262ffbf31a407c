import { funnelKey } from '../../domain/catalogue/lookups/funnel-matching.ts';
import { lookupKey } from '../../domain/catalogue/lookups/lookup-list.ts';

/** A record comes after those that it refers to. */
export const sectionNames = [
  'propertyTypes',
  'projectStatuses',
  'sources',
  'campaigns',
  'marketingTypes',
  'eventTypes',
  'websites',
  'leadTypes',
  'languages',
  'pools',
  'funnels',
  'developers',
  'locations',
  'agents',
  'teams',
  'absences',
  'datedHours',
  'holidays',
  'projects',
  'listings',
  'quizFields',
  'knownAgents',
  'competitorDomains',
  'rules',
] as const;

export type SectionName = (typeof sectionNames)[number];

/** The name of a sub-source is `source/sub-source`. */
export type RecordKind = SectionName | 'subSources';

/** An enquiry tells funnels apart by `funnelKey`, and answers tell quizzes and questions apart by case. */
export function nameKey(kind: RecordKind, name: string): string {
  if (kind === 'quizFields') return name;
  if (kind === 'listings') return name.toLowerCase();
  return kind === 'funnels' ? funnelKey(name) : lookupKey(name);
}

export function subSourceKey(source: string, subSource: string): string {
  return `${lookupKey(source)}/${lookupKey(subSource)}`;
}

export interface KnownRecord {
  kind: RecordKind;
  key: string;
  id: string;
  /** The names that values are compared with. */
  names: readonly string[];
  /** The key of the location that contains it. */
  parent: string | null;
}

/** The ids of all records but the listings that are not in the file: of stored records, and of those that it creates. */
export class RecordIds {
  readonly #byKind = new Map<RecordKind, Map<string, KnownRecord>>();
  readonly #owners = new Map<string, string>();
  #locationsByName: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(known: Iterable<KnownRecord>) {
    for (const record of known) this.add(record);
  }

  /** Replaces a record of this key. */
  add(record: KnownRecord): void {
    const { kind, id } = record;
    const records = this.#byKind.get(kind) ?? new Map<string, KnownRecord>();
    const key = nameKey(kind, record.key);
    // Several stored records may share a key: the one stored under it wins.
    if (record.key === key || !records.has(key)) this.#byKind.set(kind, records.set(key, record));
    this.#owners.set(id, `${kind} ${key}`);
    this.#locationsByName = null;
  }

  byKey(kind: RecordKind, key: string): KnownRecord | undefined {
    return this.#byKind.get(kind)?.get(nameKey(kind, key));
  }

  find(kind: RecordKind, name: string): string | undefined {
    const found = this.byKey(kind, name);
    return (found ?? (kind === 'locations' ? this.byKey(kind, this.locationKey(name)) : undefined))
      ?.id;
  }

  of(kind: RecordKind, name: string): string {
    const id = this.find(kind, name);
    if (id === undefined) throw new Error(`No record of ${kind} has the name ${name}.`);
    return id;
  }

  ofOptional(kind: RecordKind, name: string | null): string | null {
    return name === null ? null : this.of(kind, name);
  }

  ofAll(kind: RecordKind, names: readonly string[]): string[] {
    return names.map((name) => this.of(kind, name));
  }

  all(kind: RecordKind): [key: string, record: KnownRecord][] {
    return [...(this.#byKind.get(kind) ?? [])];
  }

  ownerOf(id: string): string | undefined {
    return this.#owners.get(id);
  }

  /** The key of the only location with this name; otherwise the name is a key. */
  locationKey(name: string): string {
    const key = lookupKey(name);
    const [first = key, ...others] = this.locationsNamed(name);
    return this.byKey('locations', key) || others.length > 0 ? key : first;
  }

  locationsNamed(name: string): readonly string[] {
    this.#locationsByName ??= this.#nameLocations();
    return this.#locationsByName.get(lookupKey(name)) ?? [];
  }

  #nameLocations() {
    const byName = Map.groupBy(
      this.all('locations').flatMap(([key, { names }]) =>
        [...new Set(names.map(lookupKey))].map((name) => ({ name, key })),
      ),
      ({ name }) => name,
    );
    return new Map([...byName].map(([name, all]) => [name, all.map(({ key }) => key).toSorted()]));
  }
}
