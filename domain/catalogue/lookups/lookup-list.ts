import { nameText, plainText } from '../../written-text.ts';

/** In lists fixed by a standard, `id` is the code. */
export interface Entry {
  id: string;
  name: string;
}

const ARABIC_MARKS = /[\u0640\u064B-\u065F\u0670\u06D6-\u06ED]/g;

/** Arabic letters that people interchange. A key has the letter below. */
const ARABIC_VARIANTS = 'أإآٱىیئةہھەؤک';
const ARABIC_LETTERS = 'اااايييههههوك';
const ARABIC_VARIANT = new RegExp(`[${ARABIC_VARIANTS}]`, 'g');

/** Printable ASCII with single spaces, without entities: lower case is its key. */
const ASCII_WORDS = /^[!-%'-~]+(?: [!-%'-~]+)*$/;

/** "The value is trimmed and matched case-insensitively" (Lookup semantics, 1), in any spelling. */
export function lookupKey(value: string): string {
  if (ASCII_WORDS.test(value)) return value.toLowerCase();
  const key = nameText(plainText(value).toLowerCase().replace(ARABIC_MARKS, ''));
  return key.replace(ARABIC_VARIANT, (letter) =>
    ARABIC_LETTERS.charAt(ARABIC_VARIANTS.indexOf(letter)),
  );
}

export interface Term<E> {
  entry: E;
  /** By rank: the first rank that matches wins, as a website's domain before its name. */
  texts: readonly (readonly string[])[];
  enabled?: boolean;
}

/** A value that matches two records is ambiguous and stays unresolved (Lookup semantics, 3 and 9). */
export class LookupList<E extends Entry> {
  readonly #byRank: Map<string, E[]>[] = [];
  readonly #byId = new Map<string, E>();
  readonly #disabledById = new Map<string, E>();
  readonly #key: (text: string) => string;

  constructor(terms: Iterable<Term<E>>, key: (text: string) => string = lookupKey) {
    this.#key = key;
    this.add(terms);
  }

  add(terms: Iterable<Term<E>>): void {
    for (const { entry, texts, enabled = true } of terms) {
      (enabled ? this.#byId : this.#disabledById).set(entry.id, entry);
      if (enabled)
        for (const [rank, ofRank] of texts.entries()) this.#addTexts(entry, rank, ofRank);
    }
  }

  resolve(text: string): E | null {
    const key = this.#key(text);
    const byKey = this.#byRank.find((terms) => terms.has(key));
    const [entry = null, another] = byKey?.get(key) ?? [];
    return another === undefined ? entry : null;
  }

  byId(id: string): E | undefined {
    return this.#byId.get(id);
  }

  named(id: string | null | undefined): Entry | null {
    const entry = id ? (this.#byId.get(id) ?? this.#disabledById.get(id)) : undefined;
    return entry ? { id: entry.id, name: entry.name } : null;
  }

  entries(): Iterable<E> {
    return this.#byId.values();
  }

  #addTexts(entry: E, rank: number, texts: readonly string[]): void {
    const byKey = (this.#byRank[rank] ??= new Map<string, E[]>());
    for (const key of texts.map(this.#key)) {
      const same = byKey.get(key) ?? [];
      if (!same.some(({ id }) => id === entry.id)) byKey.set(key, [...same, entry]);
    }
  }
}
