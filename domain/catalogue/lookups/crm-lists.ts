import { LookupList, lookupKey, type Entry, type Term } from './lookup-list.ts';
import type { AgentEntry, LocationEntry, SourceEntry, SubSourceEntry } from './reference.ts';

/** The texts under which the entries of the imported lists are found. */

/** One row of `list_entries`, which holds all lists of little more than names. */
export interface ListEntry extends Entry {
  key: string;
  aliases: readonly string[];
  parentId: string | null;
  attributes: { portal?: boolean };
  enabled: boolean;
}

export function toPlainTerm({ id, name }: Entry): Term<Entry> {
  return { entry: { id, name }, texts: [[name]] };
}

export function toSourceTerm({
  id,
  name,
  attributes,
}: Pick<ListEntry, 'id' | 'name' | 'attributes'>): Term<SourceEntry> {
  return { entry: { id, name, portal: attributes.portal === true }, texts: [[name]] };
}

export function toSubSourceTerm({
  id,
  name,
  parentId,
}: Pick<ListEntry, 'id' | 'name' | 'parentId'>): Term<SubSourceEntry> {
  const sourceId = parentId ?? '';
  return { entry: { id, name, sourceId }, texts: [[subSourceTerm(sourceId, name)]] };
}

/** Sub-sources of different sources may share a name, so a term carries its source. */
export function subSourceTerm(sourceId: string, text: string): string {
  return `${sourceId}/${lookupKey(text)}`;
}

/** The domain is preferred over the name (payload table, website). */
export function toWebsiteTerm({
  id,
  name,
  key: domain,
}: Pick<ListEntry, 'id' | 'name' | 'key'>): Term<Entry> {
  return { entry: { id, name }, texts: [[domain], [name]] };
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
    types.map(({ id, name, aliases }) => ({
      entry: { id, name },
      texts: [[name], aliases, buyerAliases(name)],
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

type Switchable<E> = E & { enabled: boolean };

/** Name and slug are of one rank: a text that is one developer's name and another's slug is ambiguous. */
export function toDeveloperTerm({
  id,
  name,
  slug,
  enabled,
}: Switchable<Entry & { slug: string }>): Term<Entry> {
  return { entry: { id, name }, texts: [[name, slug]], enabled };
}

/** Names of locations are not unique: one that several locations share is ambiguous. */
export function toLocationTerm({
  nameAr,
  enabled,
  ...entry
}: Switchable<LocationEntry & { nameAr: string | null }>): Term<LocationEntry> {
  return { entry, texts: [[entry.name, ...(nameAr ? [nameAr] : [])]], enabled };
}

export function toAgentTerm(entry: AgentEntry): Term<AgentEntry> {
  return { entry, texts: [[entry.email]] };
}
