import { lookupKey } from '../lookups/lookup-list.ts';
import { formatPath } from '../../format-path.ts';
import type { Fault } from './dataset-error.ts';
import type { KnownRecords } from './known-records.ts';
import type { Indexed, RecordOf } from './sections.ts';

type Locations = readonly Indexed<RecordOf<'locations'>>[];

/** Parents before children; and locations that come to lie in themselves, by way of the database too. */
export function orderLocations(
  locations: Locations,
  parents: KnownRecords['parents'],
): { ordered: Locations; faults: Fault[] } {
  const inFile = new Map(locations.map((location) => [location.value.key, location]));
  const parentOf = (key: string) => {
    const location = inFile.get(key);
    if (!location) return parents.get(key) ?? null;
    return location.value.parent === null ? null : lookupKey(location.value.parent);
  };
  const done = new Set<string>();
  const ordered: Indexed<RecordOf<'locations'>>[] = [];
  const faults: Fault[] = [];
  for (const location of locations) {
    const { climbed, cycle } = climb(location.value.key, parentOf, done);
    if (cycle) faults.push(cycleFault(location.index, cycle));
    for (const key of climbed.toReversed()) {
      const found = inFile.get(key);
      if (found) ordered.push(found);
      done.add(key);
    }
  }
  return { ordered, faults };
}

/** From a location up to one that was dealt with, a root, or one passed before. */
function climb(from: string, parentOf: (key: string) => string | null, done: ReadonlySet<string>) {
  const climbed = new Set<string>();
  let key: string | null = from;
  while (key !== null && !done.has(key)) {
    if (climbed.has(key)) {
      const passed = [...climbed];
      return { climbed: passed, cycle: [...passed.slice(passed.indexOf(key)), key] };
    }
    climbed.add(key);
    key = parentOf(key);
  }
  return { climbed: [...climbed], cycle: null };
}

function cycleFault(index: number, cycle: readonly string[]): Fault {
  const place = formatPath(['locations', index, 'parent']);
  return { place, message: `lies in itself: ${cycle.join(' in ')}` };
}
