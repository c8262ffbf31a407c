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

/** The ids of all records, by name: of those in the database, and of those that a file creates. */
export class RecordIds {
  readonly #byKind = new Map<RecordKind, Map<string, string>>();
  readonly #owners = new Map<string, string>();
  readonly #locationKeys = new Map<string, Set<string>>();

  constructor(known: Iterable<{ kind: RecordKind; key: string; id: string }>) {
    for (const { kind, key, id } of known) this.add(kind, key, id);
  }

  add(kind: RecordKind, name: string, id: string): void {
    const ids = this.#byKind.get(kind) ?? new Map<string, string>();
    const key = nameKey(kind, name);
    // Several stored records may share a key: the one stored under it wins.
    if (name === key || !ids.has(key)) this.#byKind.set(kind, ids.set(key, id));
    this.#owners.set(id, `${kind} ${key}`);
  }

  find(kind: RecordKind, name: string): string | undefined {
    const ids = this.#byKind.get(kind);
    const id = ids?.get(nameKey(kind, name));
    return id ?? (kind === 'locations' ? ids?.get(this.locationKey(name)) : undefined);
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

  ownerOf(id: string): string | undefined {
    return this.#owners.get(id);
  }

  entries(kind: RecordKind): Iterable<[key: string, id: string]> {
    return this.#byKind.get(kind) ?? [];
  }

  /** The key of the only location with this name; otherwise the name is a key. */
  locationKey(name: string): string {
    const [first = '', ...others] = this.locationsNamed(name);
    const key = lookupKey(name);
    const isKey = this.#byKind.get('locations')?.has(key) === true;
    return isKey || first === '' || others.length > 0 ? key : first;
  }

  locationsNamed(name: string): readonly string[] {
    return [...(this.#locationKeys.get(lookupKey(name)) ?? [])].toSorted();
  }

  /** Call it once the locations of the file have ids, so that a key is never taken for another location's name. */
  addLocationName(name: string, key: string): void {
    const keys = this.#locationKeys.get(lookupKey(name)) ?? new Set();
    this.#locationKeys.set(lookupKey(name), keys.add(key));
  }
}
