import pluralize from 'pluralize';
import { LookupList, lookupKey, type Entry, type Term } from './lookup-list.ts';
import type { AgentEntry, LocationEntry, SourceEntry } from './reference.ts';

export function toPlainTerm(entry: Entry): Term<Entry> {
  return { entry, texts: [[entry.name]] };
}

interface SourceRow extends Entry {
  attributes: { portal?: boolean };
}

export function toSourceTerm({ attributes, ...entry }: SourceRow): Term<SourceEntry> {
  return { entry: { ...entry, portal: attributes.portal === true }, texts: [[entry.name]] };
}

export function toSubSourceTerm({ parentId, ...entry }: Entry & { parentId: string | null }) {
  const sourceId = parentId ?? '';
  return { entry: { ...entry, sourceId }, texts: [[subSourceTerm(sourceId, entry.name)]] };
}

export function subSourceTerm(sourceId: string, text: string): string {
  return `${sourceId}/${lookupKey(text)}`;
}

/** The domain is preferred (payload table, website). */
export function toWebsiteTerm({ key: domain, ...entry }: Entry & { key: string }): Term<Entry> {
  return { entry, texts: [[domain], [entry.name]] };
}

const BUYER_TYPES: readonly (readonly [short: string, full: string])[] = [
  ['Primary', 'Primary Buyer'],
  ['Secondary', 'Secondary Buyer'],
  ['Primary and Secondary', 'Primary Buyer and Secondary Buyer'],
];

export interface AliasedEntry extends Entry {
  aliases: readonly string[];
}

/** Short and full names of buyer types match one another, whichever of them the CRM's list has. */
export function leadTypeList(types: readonly AliasedEntry[]): LookupList<Entry> {
  return new LookupList(
    types.map(({ aliases, ...entry }) => ({
      entry,
      texts: [[entry.name], aliases, buyerAliases(entry.name)],
    })),
  );
}

function buyerAliases(name: string): string[] {
  const key = lookupKey(name);
  return BUYER_TYPES.flatMap(([short, full]) => {
    if (lookupKey(full) === key) return [short];
    return lookupKey(short) === key ? [full] : [];
  });
}

interface DeveloperRow extends Entry {
  slug: string;
  enabled: boolean;
}

/** One rank: a value that is one developer's name and another's slug is ambiguous. */
export function toDeveloperTerm({ slug, enabled, ...entry }: DeveloperRow): Term<Entry> {
  return { entry, texts: [[entry.name, slug]], enabled };
}

interface LocationRow extends LocationEntry {
  nameAr: string | null;
  enabled: boolean;
}

export function toLocationTerm({ nameAr, enabled, ...entry }: LocationRow): Term<LocationEntry> {
  return { entry, texts: [[entry.name, ...(nameAr ? [nameAr] : [])]], enabled };
}

export function toAgentTerm(entry: AgentEntry): Term<AgentEntry> {
  return { entry, texts: [[entry.email]] };
}

/** "Also matches a regular English plural against the singular catalogue entry" (Lookup semantics, 8). */
export function propertyTypeList(types: readonly (Entry & { enabled: boolean })[]) {
  return new LookupList<Entry>(
    types.map(({ enabled, ...entry }) => ({
      entry,
      texts: [[entry.name], [pluralize.plural(lookupKey(entry.name))]],
      enabled,
    })),
  );
}
