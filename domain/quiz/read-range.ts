import { compare, HUNDRED, multiply, THOUSAND, type Decimal } from './decimal.ts';
import { merge, readEnd, type End, type Surroundings } from './end.ts';
import type { Lexeme } from './lexeme.ts';
import type { Numeral } from './numeral.ts';
import type { Phrase } from './phrase.ts';
import { quantityOf, sizedText, valueOf } from './read-number.ts';
import type { RangeMeaning } from './reading.ts';
import { under } from './amount.ts';

type Cut = { readonly left: Lexeme[]; readonly right: Lexeme[] };

/** A text with more places to cut is no range; the limit keeps the work linear. */
const MAX_CUTS = 8;

/** Two ends, or one end that is open on the other side. */
export function readRange({ lexemes }: Phrase): RangeMeaning | null {
  if (lexemes === null) return null;
  const single = readEnd(lexemes);
  if (single !== null) return openRange(single);
  const [range, another] = cutsOf(lexemes)
    .map(closedRange)
    .filter((found) => found !== null);
  return another === undefined ? (range ?? null) : null;
}

function openRange(end: End): RangeMeaning | null {
  const { bound } = end.surroundings;
  const value = valueOf(end);
  if (bound === null || value === null || end.negative) return null;
  const ends = bound === 'min' ? { min: value, max: null } : { min: null, max: value };
  return { kind: 'range', ...ends, ...quantityOf(end.surroundings) };
}

function closedRange({ left, right }: Cut): RangeMeaning | null {
  const [low, high] = [readEnd(left), readEnd(right)];
  if (low === null || high === null) return null;
  const fits = low.surroundings.bound !== 'max' && high.surroundings.bound !== 'min';
  return fits ? joinEnds(low, high) : null;
}

/**
 * `between` is cut at an "and", of which an amount may hold some of its own; everything else at its
 * one dash, "to" or "~". The range is read only when exactly one cut makes sense.
 */
function cutsOf(lexemes: Lexeme[]): Cut[] {
  if (lexemes[0]?.kind === 'between') return cutsAt(lexemes.slice(1), isJoinOfBetween, MAX_CUTS);
  if (lexemes.some((lexeme, at) => at > 0 && isJoin(lexeme))) return cutsAt(lexemes, isJoin, 1);
  // `from 1m up to 2m`: the text is cut before the bound, which belongs to the second end.
  return cutsAt(lexemes, isUpperBound, 1, 0);
}

/** The first `dropped` lexemes at a cut, such as the dash, belong to neither end. */
function cutsAt(
  lexemes: Lexeme[],
  isCut: (lexeme: Lexeme) => boolean,
  most: number,
  dropped = 1,
): Cut[] {
  const places = lexemes.flatMap((lexeme, at) => (at > 0 && isCut(lexeme) ? [at] : []));
  if (places.length > most) return [];
  return places.map((at) => ({ left: lexemes.slice(0, at), right: lexemes.slice(at + dropped) }));
}

function isUpperBound(lexeme: Lexeme): boolean {
  return lexeme.kind === 'bound' && lexeme.side === 'max';
}

function isJoin({ kind }: Lexeme): boolean {
  return kind === 'dash' || kind === 'to' || kind === 'tilde';
}

function isJoinOfBetween(lexeme: Lexeme): boolean {
  return lexeme.kind === 'and' || isJoin(lexeme);
}

type Ends = { readonly min: Decimal; readonly max: Decimal };

/** Joins two ends in their order in the text; a range in reverse order is not read. */
function joinEnds(low: End, high: End): RangeMeaning | null {
  const around = merge(withoutBound(low.surroundings), withoutBound(high.surroundings));
  if (around === null || low.negative || high.negative || looksLikeMonth(low, high, around))
    return null;
  const ends = endsOf(low, high);
  if (ends !== null && hundredMayCover(low, high, ends)) return null;
  const [min, max] = [ends && sizedText(ends.min), ends && sizedText(ends.max)];
  return min && max ? { kind: 'range', min, max, ...quantityOf(around) } : null;
}

function endsOf({ amount: low }: End, { amount: high }: End): Ends | null {
  const max = high.kind === 'scaled' ? high.value : high.numeral.alone;
  if (max === null) return null;
  if (low.kind === 'scaled') return plausible(low.value, max);
  if (high.kind === 'scaled' && high.scale === null) return null;
  if (high.kind === 'bare' || high.scale === null) return plausible(low.numeral.alone, max);
  return coveredEnds(low.numeral, high.scale, max);
}

/**
 * `1-2 million`: the scale covers both ends. From a thousand up the first may as well stand for
 * itself (`900,000 - 1 million`), and is read only when one of the two makes a range.
 */
function coveredEnds({ alone, ...numeral }: Numeral, scale: Decimal, max: Decimal): Ends | null {
  const covered = apart(plausible(under(scale, { alone, ...numeral }), max));
  if (alone === null || compare(alone, THOUSAND) < 0) return covered;
  const literal = plausible(alone, max);
  return covered !== null && literal !== null ? null : (covered ?? literal);
}

/** `1 to a million`: the scale that makes both ends the same was not meant to cover both. */
function apart(ends: Ends | null): Ends | null {
  return ends !== null && compare(ends.min, ends.max) < 0 ? ends : null;
}

/** `1 to 2 hundred thousand`: the hundred may belong to both ends, as it cannot in `10 to hundred thousand`. */
function hundredMayCover(low: End, high: End, { min, max }: Ends): boolean {
  if (low.amount.kind === 'scaled' || low.hundreds || !high.hundreds) return false;
  return min.coefficient !== 0n && compare(multiply(min, HUNDRED), max) <= 0;
}

/** In order, and at most a thousand times apart: `971-501234567` is no range. */
function plausible(min: Decimal | null, max: Decimal): Ends | null {
  if (min === null || compare(min, max) > 0) return null;
  const tooFar = min.coefficient !== 0n && compare(multiply(min, THOUSAND), max) < 0;
  return tooFar ? null : { min, max };
}

/** `3-2026` is a month of a year. */
function looksLikeMonth(low: End, high: End, { currency, unit }: Surroundings): boolean {
  if (currency !== null || unit !== null) return false;
  if (low.amount.kind !== 'bare' || high.amount.kind !== 'bare') return false;
  const [month, year] = [low.amount.numeral.alone, high.amount.numeral.alone];
  if (month === null || year === null || month.places + year.places > 0) return false;
  return month.coefficient <= 12n && year.coefficient >= 1900n && year.coefficient <= 2199n;
}

function withoutBound(surroundings: Surroundings): Surroundings {
  return { ...surroundings, bound: null };
}
