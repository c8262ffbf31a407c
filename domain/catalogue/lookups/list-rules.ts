import pluralize from 'pluralize';
import { LookupList, lookupKey } from './lookup-list.ts';
import type { Term } from './lookup-list.ts';
import type { Entry, FunnelEntry } from './reference.ts';

/** The lists whose matching has a rule of its own. */

/** Matching a funnel ignores case, spaces, hyphens and underscores (funnel values). */
export function funnelKey(text: string): string {
  return lookupKey(text).replace(/[\s_-]+/g, '');
}

export function funnelList(funnels: readonly FunnelEntry[]): LookupList<FunnelEntry> {
  const terms = funnels.flatMap((entry) => [
    { entry, text: entry.name },
    { entry, text: entry.key },
  ]);
  return new LookupList(terms, funnelKey);
}

interface PropertyType extends Entry {
  enabled?: boolean;
}

/** "Also matches a regular English plural against the singular catalogue entry" (Lookup semantics, 8). */
export function propertyTypeList(types: readonly PropertyType[]): LookupList<Entry> {
  return new LookupList(
    types.flatMap(({ id, name, enabled }) => [
      { entry: { id, name }, text: name, rank: 0, enabled },
      { entry: { id, name }, text: pluralize.plural(lookupKey(name)), rank: 1, enabled },
    ]),
  );
}

const BUYER_TYPES: readonly (readonly [short: string, full: string])[] = [
  ['Primary', 'Primary Buyer'],
  ['Secondary', 'Secondary Buyer'],
  ['Primary and Secondary', 'Primary Buyer and Secondary Buyer'],
];

export interface AliasedEntry extends Entry {
  aliases: readonly string[];
}

/** Primary, Secondary and both stand for the buyer types, whichever of the two the CRM's list holds. */
export function leadTypeList(types: readonly AliasedEntry[]): LookupList<Entry> {
  return new LookupList(
    types.flatMap(({ aliases, ...entry }): Term<Entry>[] => [
      { entry, text: entry.name, rank: 0 },
      ...aliases.map((text) => ({ entry, text, rank: 1 })),
      ...buyerAliases(entry.name).map((text) => ({ entry, text, rank: 2 })),
    ]),
  );
}

function buyerAliases(name: string): string[] {
  const key = lookupKey(name);
  return BUYER_TYPES.flatMap(([short, full]) => {
    if (lookupKey(full) === key) return [short];
    return lookupKey(short) === key ? [full] : [];
  });
}

/** Sub-sources of different sources may share a name, so a term carries its source. */
export function subSourceTerm(sourceId: string, text: string): string {
  return `${sourceId}/${text.trim()}`;
}
