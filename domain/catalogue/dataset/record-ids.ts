import { lookupKey } from '../lookups/lookup-list.ts';
import { formatPath } from '../../format-path.ts';
import type { Fault } from './dataset-error.ts';
import type { KnownRecords, RecordKind } from './known-records.ts';
import { sectionNames, sections } from './sections.ts';
import type { Dataset, Indexed, SectionName } from './sections.ts';

/** Matched in the database (listings), or no record with an id at all. */
const WITHOUT_NAME = new Set<SectionName>([
  'listings',
  'quizFields',
  'knownAgents',
  'competitorDomains',
  'rules',
]);

/** Natural keys to ids, of the records in the file together with those in the database. */
export class RecordIds {
  readonly #byKind = new Map<RecordKind, Map<string, string>>();

  constructor(known: KnownRecords['ids']) {
    for (const [kind, ids] of known) this.#byKind.set(kind, new Map(ids));
  }

  find(kind: RecordKind, name: string): string | undefined {
    return this.#byKind.get(kind)?.get(lookupKey(name));
  }

  /** For a name that is known to lead somewhere: every fault was reported before. */
  of(kind: RecordKind, name: string): string {
    const id = this.find(kind, name);
    if (id === undefined) throw new Error(`No record of ${kind} has the name ${name}.`);
    return id;
  }

  add(kind: RecordKind, name: string, id: string): void {
    const ids = this.#byKind.get(kind) ?? new Map<string, string>();
    this.#byKind.set(kind, ids.set(lookupKey(name), id));
  }

  entries(kind: RecordKind): Iterable<[key: string, id: string]> {
    return this.#byKind.get(kind) ?? [];
  }
}

/**
 * The id of every record: the one that its key has already, else the one given, else a new one. An id
 * belongs to one record for good, so giving another's, or another than before, is a fault.
 */
export function assignIds(
  dataset: Dataset,
  known: KnownRecords,
  newId: () => string,
): { ids: RecordIds; faults: Fault[] } {
  const ids = new RecordIds(known.ids);
  const owners = ownersOf(known.ids);
  const faults: Fault[] = [];
  for (const section of sectionNames) {
    if (WITHOUT_NAME.has(section)) continue;
    for (const record of dataset[section] ?? []) {
      const key = keyOf(section, record.value);
      const given = (record.value as { id?: string }).id;
      const id = ids.find(section, key) ?? given ?? newId();
      const message = idFault(given, id, owners, `${section}/${key}`);
      if (message) faults.push({ place: formatPath([section, record.index, 'id']), message });
      ids.add(section, key, id);
      owners.set(id, `${section}/${key}`);
    }
  }
  addSubSources(dataset.sources ?? [], ids, newId);
  return { ids, faults };
}

/** A listing is known by its id, else by its number: two may share a number when their ids differ. */
export function keyOf(section: SectionName, record: unknown): string {
  const { id } = record as { id?: string };
  if (section === 'listings' && id) return id;
  const parts = sections[section].key.map((field) => (record as Record<string, unknown>)[field]);
  return lookupKey(parts.map((part) => String(part ?? '')).join('/'));
}

export function subSourceKey(source: string, subSource: string): string {
  return `${lookupKey(source)}/${lookupKey(subSource)}`;
}

function ownersOf(known: KnownRecords['ids']): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [kind, ids] of known) {
    for (const [key, id] of ids) owners.set(id, `${kind}/${key}`);
  }
  return owners;
}

function idFault(
  given: string | undefined,
  id: string,
  owners: ReadonlyMap<string, string>,
  record: string,
): string | null {
  if (given === undefined) return null;
  if (given !== id) return `is not the id that this record has already, ${id}`;
  const owner = owners.get(given) ?? record;
  return owner === record ? null : `is the id of ${owner.replace('/', ' ')}`;
}

function addSubSources(
  sources: readonly Indexed<{ name: string; subSources: string[] }>[],
  ids: RecordIds,
  newId: () => string,
): void {
  for (const { value: source } of sources) {
    for (const name of source.subSources) {
      const key = subSourceKey(source.name, name);
      ids.add('subSources', key, ids.find('subSources', key) ?? newId());
    }
  }
}
