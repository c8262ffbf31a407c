import { LookupList, lookupKey, type Entry, type Term } from './lookup-list.ts';
import type { AgentEntry, LocationEntry, SourceEntry, SubSourceEntry } from './reference.ts';

/** Under which texts the entries of the imported lists are found. */

/** One row of `list_entries`, which holds all lists that are little more than names. */
export interface ListEntry extends Entry {
  key: string;
  aliases: readonly string[];
  parentId: string | null;
  attributes: { portal?: boolean };
  enabled: boolean;
}

export function plainList(rows: readonly Entry[]): LookupList<Entry> {
  return new LookupList(rows.map(({ id, name }) => ({ entry: { id, name }, text: name })));
}

export function sourceList(rows: readonly ListEntry[]): LookupList<SourceEntry> {
  return new LookupList(
    rows.map(({ id, name, attributes }) => ({
      entry: { id, name, portal: attributes.portal === true },
      text: name,
    })),
  );
}

export function subSourceList(rows: readonly ListEntry[]): LookupList<SubSourceEntry> {
  return new LookupList(
    rows.map(({ id, name, parentId }) => {
      const sourceId = parentId ?? '';
      return { entry: { id, name, sourceId }, text: subSourceTerm(sourceId, name) };
    }),
  );
}

/** Sub-sources of different sources may share a name, so a term carries its source. */
export function subSourceTerm(sourceId: string, text: string): string {
  return `${sourceId}/${text.trim()}`;
}

/** The domain is preferred over the name (payload table, website). */
export function websiteList(rows: readonly ListEntry[]): LookupList<Entry> {
  return new LookupList(
    rows.flatMap(({ id, key: domain, name }) => [
      { entry: { id, name }, text: domain, rank: 0 },
      { entry: { id, name }, text: name, rank: 1 },
    ]),
  );
}

const BUYER_TYPES: readonly (readonly [short: string, full: string])[] = [
  ['Primary', 'Primary Buyer'],
  ['Secondary', 'Secondary Buyer'],
  ['Primary and Secondary', 'Primary Buyer and Secondary Buyer'],
];

export type AliasedEntry = Pick<ListEntry, 'id' | 'name' | 'aliases'>;

/** Primary, Secondary and both stand for the buyer types, whichever of the two the CRM's list holds. */
export function leadTypeList(types: readonly AliasedEntry[]): LookupList<Entry> {
  return new LookupList(
    types.flatMap(({ id, name, aliases }): Term<Entry>[] => {
      const entry = { id, name };
      return [
        { entry, text: name, rank: 0 },
        ...aliases.map((text) => ({ entry, text, rank: 1 })),
        ...buyerAliases(name).map((text) => ({ entry, text, rank: 2 })),
      ];
    }),
  );
}

function buyerAliases(name: string): string[] {
  const key = lookupKey(name);
  return BUYER_TYPES.flatMap(([short, full]) => {
    if (lookupKey(full) === key) return [short];
    return lookupKey(short) === key ? [full] : [];
  });
}

/** Name and slug are of one rank: a text that is one developer's name and another's slug is ambiguous. */
export function developerList(
  rows: readonly (Entry & { slug: string; enabled: boolean })[],
): LookupList<Entry> {
  return new LookupList(
    rows.flatMap(({ id, name, slug, enabled }) =>
      [name, slug].map((text) => ({ entry: { id, name }, text, enabled })),
    ),
  );
}

/** Names of locations are not unique: one that several locations share is ambiguous. */
export function locationList(
  rows: readonly (LocationEntry & { nameAr: string | null; enabled: boolean })[],
): LookupList<LocationEntry> {
  return new LookupList(
    rows.flatMap(({ nameAr, enabled, ...entry }) =>
      [entry.name, ...(nameAr ? [nameAr] : [])].map((text) => ({ entry, text, enabled })),
    ),
  );
}

export function agentList(agents: readonly AgentEntry[]): LookupList<AgentEntry> {
  return new LookupList(agents.map((entry) => ({ entry, text: entry.email })));
}
