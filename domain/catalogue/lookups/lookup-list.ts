/** A record of one of the CRM's lists. For lists fixed by a standard, `id` is the code. */
export interface Entry {
  id: string;
  name: string;
}

export type LookupOutcome<E> =
  { kind: 'matched'; entry: E } | { kind: 'unmatched' } | { kind: 'ambiguous' };

/** "The value is trimmed and matched case-insensitively" (Lookup semantics, 1). */
export function lookupKey(value: string): string {
  return value.trim().normalize('NFC').toLowerCase();
}

/** A text under which an entry is found. */
export interface Term<E> {
  entry: E;
  text: string;
  /** Terms of a lower rank are tried first: a website's domain before its name. */
  rank?: number;
  /** A disabled entry matches no text; a lead that refers to it still shows its name. */
  enabled?: boolean;
}

/**
 * One of the CRM's lists in memory. A text that leads to two records is ambiguous, and so unresolved
 * (Lookup semantics, 3 and 9).
 */
export class LookupList<E extends Entry> {
  readonly #byKey: Map<string, E[]>[] = [];
  readonly #byId = new Map<string, E>();
  readonly #disabledById = new Map<string, E>();
  readonly #key: (text: string) => string;

  constructor(terms: Iterable<Term<E>>, key: (text: string) => string = lookupKey) {
    this.#key = key;
    for (const term of terms) this.#add(term);
  }

  resolve(text: string): LookupOutcome<E> {
    const key = this.#key(text);
    for (const terms of this.#byKey) {
      const found = terms?.get(key);
      if (!found) continue;
      const [entry, ...others] = found;
      if (entry) return others.length > 0 ? { kind: 'ambiguous' } : { kind: 'matched', entry };
    }
    return { kind: 'unmatched' };
  }

  byId(id: string): E | undefined {
    return this.#byId.get(id);
  }

  /** The entry with its name, for an id that a record has. */
  named(id: string | null | undefined): Entry | null {
    const entry = id ? (this.#byId.get(id) ?? this.#disabledById.get(id)) : undefined;
    return entry ? { id: entry.id, name: entry.name } : null;
  }

  entries(): Iterable<E> {
    return this.#byId.values();
  }

  #add({ entry, text, rank = 0, enabled = true }: Term<E>): void {
    (enabled ? this.#byId : this.#disabledById).set(entry.id, entry);
    if (!enabled) return;
    const terms = (this.#byKey[rank] ??= new Map<string, E[]>());
    const key = this.#key(text);
    const same = terms.get(key);
    if (!same) terms.set(key, [entry]);
    else if (!same.some((other) => other.id === entry.id)) same.push(entry);
  }
}
