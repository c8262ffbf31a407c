import { readEnd, type End } from './end.ts';
import type { Lexeme } from './lexeme.ts';
import type { Phrase } from './phrase.ts';
import { joinEnds } from './range-ends.ts';
import { quantityOf, valueOf } from './read-number.ts';
import type { RangeMeaning } from './reading.ts';

type Cut = { readonly left: Lexeme[]; readonly right: Lexeme[] };

/** More places to cut than this is no range, and keeps the work linear. */
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
  return cutsBefore(lexemes);
}

function cutsAt(lexemes: Lexeme[], joins: (lexeme: Lexeme) => boolean, most: number): Cut[] {
  const places = placesOf(lexemes, joins);
  if (places.length > most) return [];
  return places.map((at) => ({ left: lexemes.slice(0, at), right: lexemes.slice(at + 1) }));
}

/** `from 1m up to 2m`: the bound itself divides, and stays with its end. */
function cutsBefore(lexemes: Lexeme[]): Cut[] {
  const places = placesOf(lexemes, (lexeme) => lexeme.kind === 'bound' && lexeme.side === 'max');
  if (places.length > 1) return [];
  return places.map((at) => ({ left: lexemes.slice(0, at), right: lexemes.slice(at) }));
}

function placesOf(lexemes: Lexeme[], wanted: (lexeme: Lexeme) => boolean): number[] {
  return lexemes.flatMap((lexeme, at) => (at > 0 && wanted(lexeme) ? [at] : []));
}

function isJoin({ kind }: Lexeme): boolean {
  return kind === 'dash' || kind === 'to' || kind === 'tilde';
}

function isJoinOfBetween(lexeme: Lexeme): boolean {
  return lexeme.kind === 'and' || isJoin(lexeme);
}
