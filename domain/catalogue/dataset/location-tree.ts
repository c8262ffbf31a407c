import { lookupKey } from '../lookups/lookup-list.ts';
import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import type { KnownRecords } from './record-ids.ts';
import type { Indexed, RecordOf } from './sections.ts';

type Location = Indexed<RecordOf<'locations'>>;

/** Sorts parents before children and finds cycles, those that run over locations in the database too. */
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
