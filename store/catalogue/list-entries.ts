import { subSourceTerm } from '../../domain/catalogue/lookups/list-rules.ts';
import { LookupList } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { Term } from '../../domain/catalogue/lookups/lookup-list.ts';
import type { Entry } from '../../domain/catalogue/lookups/reference.ts';

/** The lists that are rows of `list_entries`, under the terms by which their entries are found. */

export interface ListEntryRow {
  id: string;
  list: string;
  key: string;
  name: string;
  aliases: string[];
  parent_id: string | null;
  attributes: { portal?: boolean };
  enabled: boolean;
}

export function plainEntry(row: ListEntryRow): Entry {
  return { id: row.id, name: row.name };
}

export function plainList(rows: readonly ListEntryRow[]): LookupList<Entry> {
  return new LookupList(rows.map((row) => ({ entry: plainEntry(row), text: row.name })));
}

export function sourceTerm(row: ListEntryRow) {
  return { entry: { ...plainEntry(row), portal: row.attributes.portal === true }, text: row.name };
}

export function subSourceTermOf(row: ListEntryRow) {
  const sourceId = row.parent_id ?? '';
  return { entry: { ...plainEntry(row), sourceId }, text: subSourceTerm(sourceId, row.name) };
}

/** The domain is preferred over the name (payload table, website). */
export function websiteTerms(row: ListEntryRow): Term<Entry>[] {
  const entry = plainEntry(row);
  return [
    { entry, text: row.key, rank: 0 },
    { entry, text: row.name, rank: 1 },
  ];
}
