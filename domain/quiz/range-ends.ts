import { compare, decimal, multiply, type Decimal } from './decimal.ts';
import { merge, type End, type Surroundings } from './end.ts';
import { quantityOf, sizedText } from './read-number.ts';
import type { RangeMeaning } from './reading.ts';
import type { Numeral } from './separators.ts';
import { under } from './term.ts';

type Ends = { readonly min: Decimal; readonly max: Decimal };

const HUNDRED = decimal('100');
const THOUSAND = decimal('1000');

/** The two ends in the order they were said; a range in reverse order is not certain. */
export function joinEnds(low: End, high: End): RangeMeaning | null {
  const said = merge(withoutBound(low.surroundings), withoutBound(high.surroundings));
  if (said === null || low.negative || high.negative || looksLikeMonth(low, high, said))
    return null;
  const ends = endsOf(low, high);
  if (ends !== null && hundredMayCover(low, high, ends)) return null;
  const [min, max] = [ends && sizedText(ends.min), ends && sizedText(ends.max)];
  return min && max ? { kind: 'range', min, max, ...quantityOf(said) } : null;
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
