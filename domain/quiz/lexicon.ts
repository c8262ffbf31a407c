import { decimal } from './decimal.ts';
import type { Lexeme } from './lexeme.ts';
import { phraseKey } from './tokens.ts';
import { BOUNDS, CONNECTORS } from './words/connectors.ts';
import { COUNTS, FRACTIONS, RANKS, SCALES } from './words/numbers.ts';
import { COUNTED_UNITS, CURRENCIES, UNITS } from './words/units.ts';

/** The words of a quantity by their folded spelling; a count and its unit in one word are two lexemes. */
const LEXICON = new Map<string, Lexeme[]>();

for (const [language, ranks] of entries(COUNTS)) {
  for (const [rank, words] of entries(ranks)) {
    const { first, step } = RANKS[rank];
    for (const [place, spellings] of words.split(' / ').entries())
      add(spellings, { kind: 'count', value: first + place * step, rank, language });
  }
}
for (const { zeros, whole, counted, dual } of SCALES) {
  const scale = { kind: 'scale', value: decimal(`1${'0'.repeat(zeros)}`) } as const;
  add(whole, { ...scale, dual: false, needsCount: false });
  add(counted, { ...scale, dual: false, needsCount: true });
  add(dual, { ...scale, dual: true, needsCount: false });
}
for (const [digits, phrases] of entries(FRACTIONS))
  add(phrases, { kind: 'fraction', value: decimal('0', digits) });
for (const [code, phrases] of CURRENCIES) add(phrases, { kind: 'currency', code, word: '' });
for (const [unit, phrases] of UNITS) add(phrases, { kind: 'unit', unit });
for (const [value, unit, phrases] of COUNTED_UNITS)
  add(phrases, { kind: 'count', value, rank: 'unit', language: 'ar' }, { kind: 'unit', unit });
for (const [side, places] of entries(BOUNDS))
  for (const [place, phrases] of entries(places)) add(phrases, { kind: 'bound', side, place });
for (const [kind, phrases] of entries(CONNECTORS)) add(phrases, { kind });

function add(phrases: string, ...lexemes: Lexeme[]): void {
  for (const phrase of phrases.split('|')) if (phrase) LEXICON.set(phraseKey(phrase), lexemes);
}

function entries<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}

/** In tokens. */
export const LONGEST_PHRASE = Math.max(
  ...Array.from(LEXICON.keys(), (key) => key.split(' ').length),
);

export function lexemesOf(phrase: string): readonly Lexeme[] {
  return LEXICON.get(phrase) ?? [];
}

/** Of a word that is a single lexeme. */
export function lexemeOf(word = ''): Lexeme | undefined {
  const [lexeme, another] = lexemesOf(word);
  return another === undefined ? lexeme : undefined;
}
