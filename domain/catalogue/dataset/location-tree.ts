import { lookupKey } from '../lookups/lookup-list.ts';
import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import type { KnownRecords } from './record-ids.ts';
import type { Indexed, RecordOf } from './sections.ts';

type Location = Indexed<RecordOf<'locations'>>;

/** Sorts parents before children and finds cycles, those that run over locations in the database too. */
export function orderLocations(
  locations: readonly Location[],
  parents: KnownRecords['parents'],
): { ordered: readonly Location[]; issues: DatasetIssue[] } {
  const inFile = new Map(locations.map((location) => [location.value.key, location]));
  const parentOf = (key: string) => {
    const location = inFile.get(key);
    if (!location) return parents.get(key) ?? null;
    return location.value.parent === null ? null : lookupKey(location.value.parent);
  };
  const visited = new Set<string>();
  const ordered: Location[] = [];
  const issues: DatasetIssue[] = [];
  for (const location of locations) {
    const { ancestry, cycle } = climb(location.value.key, parentOf, visited);
    if (cycle) issues.push(cycleIssue(location.index, cycle));
    for (const key of ancestry.toReversed()) {
      const found = inFile.get(key);
      if (found) ordered.push(found);
      visited.add(key);
    }
  }
  return { ordered, issues };
}

/** From a location up to a visited one, a root, or one that it comes back to. */
function climb(
  from: string,
  parentOf: (key: string) => string | null,
  visited: ReadonlySet<string>,
) {
  const path = new Set<string>();
  let key: string | null = from;
  while (key !== null && !visited.has(key)) {
    if (path.has(key)) {
      const ancestry = [...path];
      return { ancestry, cycle: [...ancestry.slice(ancestry.indexOf(key)), key] };
    }
    path.add(key);
    key = parentOf(key);
  }
  return { ancestry: [...path], cycle: null };
}

function cycleIssue(index: number, cycle: readonly string[]): DatasetIssue {
  return issueAt(['locations', index, 'parent'], `lies in itself: ${cycle.join(' in ')}`);
}
