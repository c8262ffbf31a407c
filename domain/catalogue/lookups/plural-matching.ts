import pluralize from 'pluralize';
import { type Entry, LookupList, lookupKey } from './lookup-list.ts';

/** "Also matches a regular English plural against the singular catalogue entry" (Lookup semantics, 8). */
export function propertyTypeList(
  types: readonly (Entry & { enabled: boolean })[],
): LookupList<Entry> {
  return new LookupList(
    types.map(({ id, name, enabled }) => ({
      entry: { id, name },
      texts: [[name], [pluralize.plural(lookupKey(name))]],
      enabled,
    })),
  );
}
