import { withoutInvisible } from '../written-text.ts';
import type { Lexeme } from './amount-words.ts';
import { CURRENCY_CODES } from './locale-names.ts';
import { decimalText, ONE, THOUSAND, type Decimal, type Numeral } from './numeral.ts';
import { besideCurrency, combineQuantities, readEnd, under, type End } from './amount-grammar.ts';
import { isBound, phraseOf, type Phrase } from './phrase.ts';
import type { NumberMeaning, Reading, Quantity, RangeMeaning } from './reading.ts';

/** Smaller numbers are exact as JSON numbers, and prices are smaller. */
const TOO_LARGE = 10n ** 15n * ONE;

export function readNumber({ lexemes }: Phrase): NumberMeaning | null {
  const end = lexemes && readEnd(lexemes);
  const value = end?.bound === null ? valueOf(end) : null;
  if (!end || value === null) return null;
  return { kind: end.quantity.currencyWord === null ? 'number' : 'money', value, ...end.quantity };
}

function valueOf(end: End): string | null {
  const { amount, negative } = besideCurrency(end, end.quantity);
  const value = amount.kind === 'scaled' ? amount.value : amount.numeral.alone;
  return value === null ? null : sizedText(negative ? -value : value);
}

function sizedText(value: Decimal): string | null {
  return -TOO_LARGE < value && value < TOO_LARGE ? decimalText(value) : null;
}

/** `sent` counts if the text has no currency, or an ambiguous word. */
export function withSentCurrency(reading: Reading, sent: string | null): Reading {
  if (sent === null || !('currency' in reading)) return reading;
  if (reading.currency !== null || reading.unit !== null) return reading;
  return { ...reading, currency: currencyCode(sent), currencyWord: reading.currencyWord ?? sent };
}

export function currencyCode(sent: string): string | null {
  const code = withoutInvisible(sent).trim().toUpperCase();
  if (CURRENCY_CODES.has(code)) return code;
  const lexemes = sent.length <= 64 ? phraseOf(sent).lexemes : null;
  const only = lexemes?.length === 1 ? lexemes[0] : undefined;
  return only?.kind === 'currency' ? only.code : null;
}

/** Keeps the work linear. */
const MAX_CUTS = 8;

export function readRange({ lexemes }: Phrase): RangeMeaning | null {
  if (lexemes === null) return null;
  const single = readEnd(lexemes);
  if (single !== null) return openRange(single);
  const ranges = cutsOf(lexemes).map(([left, right]) => closedRange(readEnd(left), readEnd(right)));
  const [range = null, another] = ranges.filter((found) => found !== null);
  return another === undefined ? range : null;
}

function openRange(end: End): RangeMeaning | null {
  const { bound, negative, quantity } = end;
  const value = valueOf(end);
  if (bound === null || value === null || negative) return null;
  const ends = bound === 'min' ? { min: value, max: null } : { min: null, max: value };
  return { kind: 'range', ...ends, ...quantity };
}

type Cut = readonly [left: Lexeme[], right: Lexeme[]];

/** `between` may be cut at any "and", if only one of the cuts makes sense. Other ranges have one place. */
function cutsOf(lexemes: Lexeme[]): Cut[] {
  const first = lexemes.findIndex(({ kind }) => kind !== 'filler');
  if (lexemes[first]?.kind === 'between') {
    const isCut = (lexeme: Lexeme) => lexeme.kind === 'and' || isJoin(lexeme);
    return cutsAt(lexemes.slice(first + 1), isCut, MAX_CUTS);
  }
  if (lexemes.some((lexeme, at) => at > 0 && isJoin(lexeme))) return cutsAt(lexemes, isJoin, 1);
  const opensBound = (lexeme: Lexeme, at: number) =>
    lexeme.kind === 'and' && lexemes[at + 1]?.kind === 'bound';
  if (lexemes.some(opensBound)) return cutsAt(lexemes, opensBound, 1).filter(isOfOneThing);
  // `from 1m up to 2m`: the bound belongs to the second end.
  return cutsAt(lexemes, (lexeme) => lexeme.kind === 'bound' && lexeme.side === 'max', 1, 0);
}

/** `at least 1000 sqft and at most 900k` is an area and a price. */
function isOfOneThing([left, right]: Cut): boolean {
  const [hasUnit = false, hasOther = false] = [left, right].map((end) =>
    end.some(({ kind }) => kind === 'unit'),
  );
  return left.some(isBound) && (hasOther || !hasUnit);
}

function cutsAt(
  lexemes: Lexeme[],
  isCut: (lexeme: Lexeme, at: number) => boolean,
  most: number,
  dropped = 1,
): Cut[] {
  const places = lexemes.flatMap((lexeme, at) => (at > 0 && isCut(lexeme, at) ? [at] : []));
  if (places.length > most) return [];
  return places.map((at) => [lexemes.slice(0, at), lexemes.slice(at + dropped)]);
}

function isJoin({ kind }: Lexeme): boolean {
  return kind === 'dash' || kind === 'to' || kind === 'tilde';
}

type Ends = { readonly min: Decimal; readonly max: Decimal };

/** In the order of the text, except for `at most 100 and at least 20`. */
function closedRange(first: End | null, second: End | null): RangeMeaning | null {
  if (!first || !second || first.negative || second.negative) return null;
  const quantity = combineQuantities([first.quantity, second.quantity]);
  if (quantity === null) return null;
  const [left, right] = [besideCurrency(first, quantity), besideCurrency(second, quantity)];
  const isSwapped = left.bound === 'max' && left.amount.kind === right.amount.kind;
  const [low, high] = isSwapped ? [right, left] : [left, right];
  if (low.bound === 'max' || high.bound === 'min' || (isSwapped && low.bound === null)) return null;
  const ends = endsOf(low, high);
  if (ends === null) return null;
  if (isMonthOfYear(ends, quantity) || hundredMayCover(low, high, ends)) return null;
  const [min, max] = [sizedText(ends.min), sizedText(ends.max)];
  return min && max ? { kind: 'range', min, max, ...quantity } : null;
}

function endsOf({ amount: low }: End, { amount: high }: End): Ends | null {
  const max = high.kind === 'scaled' ? high.value : high.numeral.alone;
  if (max === null) return null;
  if (low.kind === 'scaled') return plausible(low.value, max);
  if (high.kind === 'bare') return plausible(low.numeral.alone, max);
  if (high.isSum) return null;
  return coveredEnds(low.numeral, high.scale, max);
}

/** `1-2 million`: the scale covers both ends. `900,000 - 1 million` is also possible, if the other reading is not. */
function coveredEnds(numeral: Numeral, scale: Decimal, max: Decimal): Ends | null {
  const { alone } = numeral;
  const ends = plausible(under(scale, numeral), max);
  // `1 to a million`: a scale does not cover both ends if they are the same.
  const covered = ends !== null && ends.min < ends.max ? ends : null;
  if (alone === null || alone < THOUSAND) return covered;
  const literal = plausible(alone, max);
  return covered !== null && literal !== null ? null : (covered ?? literal);
}

/** `1 to 2 hundred thousand`, but not `10 to hundred thousand`. */
function hundredMayCover(low: End, high: End, { min, max }: Ends): boolean {
  if (low.amount.kind === 'scaled' || low.hundreds || !high.hundreds) return false;
  return min !== 0n && 100n * min <= max;
}

/** At most a thousand times apart: `971-501234567` is not a range. */
function plausible(min: Decimal | null, max: Decimal): Ends | null {
  if (min === null || min > max) return null;
  const tooFar = min !== 0n && 1000n * min < max;
  return tooFar ? null : { min, max };
}

/** `3-2026` is a month, and `13-2026` may be a mistyped one. */
function isMonthOfYear({ min, max }: Ends, { currencyWord, unit }: Quantity): boolean {
  const isYear = max >= 1900n * ONE && max <= 2199n * ONE;
  return isYear && min <= 31n * ONE && currencyWord === null && unit === null;
}
