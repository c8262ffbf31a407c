import { decimal } from './decimal.ts';
import type { Lexeme } from './lexeme.ts';
import { phraseKey } from './tokens.ts';
import { BOUNDS, CONNECTORS, type ConnectorKind } from './words/connectors.ts';
import { COUNTED_UNITS, CURRENCIES, UNITS } from './words/units.ts';
import {
  ARABIC_COUNTS,
  ENGLISH_COUNTS,
  FRACTIONS,
  SCALES,
  type CountWords,
  type ScaleWords,
} from './words/numbers.ts';

type Entry = readonly [phrase: string, lexeme: Lexeme];

/** The words of a quantity by their folded spelling. */
const LEXICON: ReadonlyMap<string, Lexeme> = new Map(
  [
    ...ENGLISH_COUNTS.flatMap((counts) => countEntries(counts, 'en')),
    ...ARABIC_COUNTS.flatMap((counts) => countEntries(counts, 'ar')),
    ...SCALES.flatMap(scaleEntries),
    ...fractionEntries(),
    ...CURRENCIES.flatMap(([code, list]) =>
      phrases(list).map((word): Entry => [word, { kind: 'currency', code, word }]),
    ),
    ...UNITS.flatMap(([unit, list]) =>
      phrases(list).map((word): Entry => [word, { kind: 'unit', unit }]),
    ),
    ...BOUNDS.flatMap(({ side, place, phrases: list }) =>
      phrases(list).map((word): Entry => [word, { kind: 'bound', side, place }]),
    ),
    ...connectorEntries(),
  ].map(([phrase, lexeme]) => [phraseKey(phrase), lexeme]),
);

const COUNTED: ReadonlyMap<string, Lexeme[]> = new Map(
  COUNTED_UNITS.flatMap(([value, unit, list]) =>
    phrases(list).map((phrase): [string, Lexeme[]] => [
      phraseKey(phrase),
      [
        { kind: 'count', value, rank: 'unit', language: 'ar' },
        { kind: 'unit', unit },
      ],
    ]),
  ),
);

/** By the first token of a phrase, how many tokens the longest one has that begins with it. */
const LONGEST_BY_FIRST = new Map<string, number>();
for (const key of [...LEXICON.keys(), ...COUNTED.keys()]) {
  const tokens = key.split(' ');
  const [first = ''] = tokens;
  LONGEST_BY_FIRST.set(first, Math.max(LONGEST_BY_FIRST.get(first) ?? 0, tokens.length));
}

/** In tokens; 0 when no phrase begins so, as with most words. */
export function longestPhraseFrom(first: string): number {
  return LONGEST_BY_FIRST.get(first) ?? 0;
}

/** A count and its unit in one word. */
export function countedUnitOf(key: string): Lexeme[] | undefined {
  return COUNTED.get(key);
}

export function lexemeOf(key: string): Lexeme | undefined {
  return LEXICON.get(key);
}

function phrases(list: string): string[] {
  return list.split('|');
}

function countEntries({ rank, words }: CountWords, language: 'en' | 'ar'): Entry[] {
  return Object.entries(words).map(([word, value]) => [
    word,
    { kind: 'count', value, rank, language },
  ]);
}

function scaleEntries({ zeros, whole, counted, dual }: ScaleWords): Entry[] {
  const value = decimal(`1${'0'.repeat(zeros)}`);
  const entries = (words: string, traits: { dual: boolean; needsCount: boolean }) =>
    words
      .split(' ')
      .filter((word) => word !== '')
      .map((word): Entry => [word, { kind: 'scale', value, ...traits }]);
  return [
    ...entries(whole, { dual: false, needsCount: false }),
    ...entries(counted, { dual: false, needsCount: true }),
    ...entries(dual, { dual: true, needsCount: false }),
  ];
}

function fractionEntries(): Entry[] {
  return Object.entries(FRACTIONS).map(([word, digits]) => [
    word,
    { kind: 'fraction', value: decimal('0', digits) },
  ]);
}

function connectorEntries(): Entry[] {
  const kinds = Object.keys(CONNECTORS) as ConnectorKind[];
  return kinds.flatMap((kind) => phrases(CONNECTORS[kind]).map((word): Entry => [word, { kind }]));
}
