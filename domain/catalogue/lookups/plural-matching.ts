import pluralize from 'pluralize';
import { LookupList, lookupKey, type Entry } from './lookup-list.ts';

/** "Also matches a regular English plural against the singular catalogue entry" (Lookup semantics, 8). */
export function propertyTypeList(
  types: readonly (Entry & { enabled?: boolean })[],
): LookupList<Entry> {
  return new LookupList(
    types.flatMap(({ id, name, enabled }) => [
      { entry: { id, name }, text: name, rank: 0, enabled },
      { entry: { id, name }, text: pluralize.plural(lookupKey(name)), rank: 1, enabled },
    ]),
  );
}
