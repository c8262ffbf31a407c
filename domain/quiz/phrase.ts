import {
  compare,
  THOUSAND,
  isPoint,
  numeralAt,
  startsNumeral,
  decimal,
  type Decimal,
  type Numeral,
} from './numeral.ts';
import { foldLetters, foldText, textOf, tokenise, phraseKey, type Token } from './tokens.ts';
import {
  BOUNDS,
  COUNTS,
  RANKS,
  CONNECTORS,
  FRACTIONS,
  SCALES,
  COUNTED_UNITS,
  CURRENCIES,
  UNITS,
  type ConnectorKind,
} from './amount-words.ts';

/** A text prepared once for all rules. */
export type Phrase = {
  readonly folded: string;
  readonly tokens: Token[];
  /** Null if something in the text is not part of any quantity. */
  readonly lexemes: Lexeme[] | null;
};

const CLOSING_MARKS = new Set(['.', ',', ';', '!', '؛']);

export function phraseOf(text: string): Phrase {
  const folded = foldText(text);
  const tokens = withoutClosingMarks(tokenise(foldLetters(folded)));
  return { folded, tokens, lexemes: lex(tokens) };
}

function withoutClosingMarks(tokens: Token[]): Token[] {
  const last = tokens.findLastIndex((token) => !CLOSING_MARKS.has(token.text));
  return tokens.slice(0, last + 1);
}

type Piece = { readonly lexemes: Lexeme[]; readonly next: number };

/** The lexemes of a quantity. Null if any token belongs to none, since no token is ignored. */
function lex(tokens: Token[]): Lexeme[] | null {
  const lexemes: Lexeme[] = [];
  let at = 0;
  while (at < tokens.length) {
    const piece = pieceAt(tokens, at, lexemes.at(-1));
    if (piece === null) return null;
    lexemes.push(...piece.lexemes);
    at = piece.next;
  }
  return lexemes;
}

function pieceAt(tokens: Token[], at: number, before: Lexeme | undefined): Piece | null {
  if (startsNumeral(tokens, at)) {
    // `1m .2m` is no 1.2 million.
    if (before?.kind === 'scale' && tokens[at]?.kind !== 'digits') return null;
    const read = numeralAt(tokens, at);
    return read && { lexemes: [{ kind: 'numeral', numeral: read.numeral }], next: read.next };
  }
  return (
    minusAt(tokens, at) ??
    hyphenAt(tokens, at) ??
    rangePointsAt(tokens, at, before) ??
    phraseAt(tokens, at, before) ??
    prefixedAt(tokens, at)
  );
}

/** A minus sign is the first token and touches its digits. */
function minusAt(tokens: Token[], at: number): Piece | null {
  const following = tokens[1];
  const signed = at === 0 && tokens[0]?.text === '-' && following?.gap === '';
  return signed && following.kind === 'digits' ? { lexemes: [{ kind: 'minus' }], next: 1 } : null;
}

/** The hyphen of `twenty-five` joins; any other is the dash of a range. */
function hyphenAt(tokens: Token[], at: number): Piece | null {
  if (tokens[at]?.text !== '-') return null;
  const [before, after] = [tokens[at - 1], tokens[at + 1]].map((token) => lexemeOf(token?.text));
  const joins = before?.kind === 'count' && before.rank === 'ten' && after?.kind === 'count';
  return joins && after.rank === 'unit' ? { lexemes: [], next: at + 1 } : null;
}

/** `1m..2m` is a range. `1..5` is none: it may be a mistyped 1.5. */
function rangePointsAt(tokens: Token[], at: number, before: Lexeme | undefined): Piece | null {
  let next = at;
  while (isPoint(tokens[next]) && (next === at || tokens[next]?.gap === '')) next += 1;
  const isRange = before?.kind === 'scale' && next - at > 1;
  return isRange ? { lexemes: [{ kind: 'dash' }], next } : null;
}

function phraseAt(tokens: Token[], at: number, before: Lexeme | undefined): Piece | null {
  for (let length = Math.min(LONGEST_PHRASE, tokens.length - at); length > 0; length -= 1) {
    const lexemes = readPhrase(tokens.slice(at, at + length), before);
    if (lexemes !== undefined) return { lexemes, next: afterPoint(tokens, at + length) };
  }
  return null;
}

function readPhrase(phrase: Token[], before: Lexeme | undefined): Lexeme[] | undefined {
  const key = phrase.map((token) => token.text).join(' ');
  const [lexeme, ...others] = lexemesOf(key);
  if (lexeme === undefined || (key === 'min' && mayCountMinutes(before))) return undefined;
  // A currency word is recorded as the folded text has it.
  if (lexeme.kind === 'currency') return [{ ...lexeme, word: textOf(phrase) }];
  const fits = others.length === 0 || before === undefined || OPENERS.has(before.kind);
  return fits ? [lexeme, ...others] : undefined;
}

/** `10 min` may be ten minutes; `1m min`, `5,000 min` and `min 10` are least amounts. */
function mayCountMinutes(before: Lexeme | undefined): boolean {
  if (before?.kind === 'count') return true;
  if (before?.kind !== 'numeral') return false;
  const { alone } = before.numeral;
  return alone === null || compare(alone, THOUSAND) < 0;
}

/** Two rooms are no part of a number before them: `50 ألف غرفتين` is not 50,002 rooms. */
const OPENERS: ReadonlySet<LexemeKind> = new Set([
  'from',
  'to',
  'dash',
  'tilde',
  'between',
  'bound',
  'approximately',
]);

/** The point of an abbreviation: `approx. 2 mn. dhs.` */
function afterPoint(tokens: Token[], at: number): number {
  const [before, point, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const abbreviates = before?.kind === 'word' && point?.text === '.' && point.gap === '';
  const isOneOfSeveral = isPoint(after) && after?.gap === '';
  return abbreviates && !isOneOfSeveral && !startsNumeral(tokens, at) ? at + 1 : at;
}

/** Arabic writes "and" and "to" onto the next word: ونصف, لمليونين. */
function prefixedAt(tokens: Token[], at: number): Piece | null {
  const word = tokens[at]?.text ?? '';
  const prefix = word.startsWith('و') ? 'and' : word.startsWith('ل') ? 'to' : null;
  const rest = lexemeOf(word.slice(1));
  if (prefix === null || rest === undefined || !AMOUNT_KINDS.has(rest.kind)) return null;
  return { lexemes: [{ kind: prefix }, rest], next: at + 1 };
}

const AMOUNT_KINDS: ReadonlySet<LexemeKind> = new Set(['count', 'scale', 'fraction']);

export type BoundSide = keyof typeof BOUNDS;

/** What a word or sign of a quantity does in its sentence. */
export type Lexeme =
  | { readonly kind: 'numeral'; readonly numeral: Numeral }
  | {
      readonly kind: 'count';
      readonly value: number;
      readonly rank: keyof typeof RANKS;
      readonly language: keyof typeof COUNTS;
    }
  | {
      readonly kind: 'scale';
      readonly value: Decimal;
      /** Two of them in one word: مليونين. */
      readonly dual: boolean;
      /** `k`, `millions`: no amount without a count before it. */
      readonly needsCount: boolean;
      /** `k`: no number is added behind it. */
      readonly abbreviated: boolean;
    }
  | { readonly kind: 'fraction'; readonly value: Decimal }
  | { readonly kind: 'currency'; readonly code: string | null; readonly word: string }
  | { readonly kind: 'unit'; readonly unit: string }
  | {
      readonly kind: 'bound';
      readonly side: BoundSide;
      readonly place: keyof (typeof BOUNDS)[BoundSide];
    }
  | { readonly kind: ConnectorKind | 'minus' };

export type LexemeKind = Lexeme['kind'];
export type LexemeOf<Kind extends LexemeKind> = Extract<Lexeme, { kind: Kind }>;

/** The words of a quantity by their folded spelling; a count and its unit in one word are two lexemes. */
const LEXICON = new Map<string, Lexeme[]>();

for (const [language, ranks] of entries(COUNTS)) {
  for (const [rank, words] of entries(ranks)) {
    const { first, step } = RANKS[rank];
    for (const [place, spellings] of words.split(' / ').entries())
      add(spellings, { kind: 'count', value: first + place * step, rank, language });
  }
}
for (const { zeros, whole, counted, abbreviated = '', dual } of SCALES) {
  const value = decimal(`1${'0'.repeat(zeros)}`);
  const scale = { kind: 'scale', value, abbreviated: false } as const;
  add(whole, { ...scale, dual: false, needsCount: false });
  add(counted, { ...scale, dual: false, needsCount: true });
  add(abbreviated, { ...scale, dual: false, needsCount: true, abbreviated: true });
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

/** The length of the longest phrase in tokens. */
const LONGEST_PHRASE = Math.max(...Array.from(LEXICON.keys(), (key) => key.split(' ').length));

function lexemesOf(phrase: string): readonly Lexeme[] {
  return LEXICON.get(phrase) ?? [];
}

/** The lexeme of a word that is a single one. */
function lexemeOf(word = ''): Lexeme | undefined {
  const [lexeme, another] = lexemesOf(word);
  return another === undefined ? lexeme : undefined;
}
