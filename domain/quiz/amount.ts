import { add, compare, decimal, multiply, negate, THOUSAND, type Decimal } from './decimal.ts';
import { takeCount, type Count } from './count.ts';
import type { Cursor } from './lexeme.ts';
import { everywhere, type Numeral } from './numeral.ts';

type Bare = Count & { readonly kind: 'bare' };
type Scaled = {
  readonly kind: 'scaled';
  readonly value: Decimal;
  /** The scale that may cover the other end of a range; null where the amount has several. */
  readonly scale: Decimal | null;
};

/** `bare` can still take the scale of the other end of its range; `scaled` cannot. */
export type Amount = Bare | Scaled;

/** One count with at most one scale: `1,5 million`, `half a million`, `مليون ونصف`, `250`. */
type Term = Bare | ScaledTerm;
type ScaledTerm = Scaled & { readonly scale: Decimal };

/** The longest amount that begins here: `2 million 500 thousand`, `ألف وخمسمائة`, `1.5m`. */
export function takeAmount(cursor: Cursor): Amount | null {
  const first = takeTerm(cursor);
  if (first?.kind !== 'scaled') return first;
  let { value, scale: smallest } = first;
  let scale: Decimal | null = smallest;
  for (;;) {
    const more = cursor.attempt(() => takeSmallerTerm(cursor, smallest));
    if (more === null) return { kind: 'scaled', value, scale };
    [value, smallest, scale] = [add(value, more.value), more.scale, null];
  }
}

function takeSmallerTerm(cursor: Cursor, smallest: Decimal): ScaledTerm | null {
  const isJoined = cursor.take('and') !== null;
  const term = takeTerm(cursor);
  if (term?.kind === 'bare') return afterThousand(term, isJoined, smallest);
  return term && compare(term.value, smallest) < 0 ? term : null;
}

/**
 * Only after "thousand" is a count without a scale certain: `مليون ومئتين` may mean two hundred
 * thousand more. Digits need the "and", or `50k 100` would be 50,100.
 */
function afterThousand(term: Bare, isJoined: boolean, smallest: Decimal): ScaledTerm | null {
  const value = term.numeral.alone;
  if (value === null || compare(smallest, THOUSAND) !== 0) return null;
  const fits = compare(value, THOUSAND) < 0 && (isJoined || term.worded);
  return fits ? { kind: 'scaled', value, scale: decimal('1') } : null;
}

const TWO = decimal('2');

function takeTerm(cursor: Cursor): Term | null {
  const article = cursor.take('article');
  const fraction = cursor.take('fraction');
  if (fraction !== null) return takeFractionOfScale(cursor, fraction.value);
  const alone = cursor.take('scale', ({ needsCount }) => !needsCount);
  if (alone !== null) {
    const value = alone.dual ? multiply(TWO, alone.value) : alone.value;
    return withFraction(cursor, { kind: 'scaled', value, scale: alone.value });
  }
  const next = cursor.peek();
  const isHundred = next?.kind === 'count' && next.rank === 'hundred';
  return article !== null && !isHundred ? null : takeCountedTerm(cursor);
}

/** The value of a numeral under a scale; null for a grouped one whose value is in doubt. */
export function under(scale: Decimal, numeral: Numeral): Decimal | null {
  const worth = compare(scale, THOUSAND) === 0 ? numeral.underThousand : numeral.underMillion;
  return worth && multiply(worth, scale);
}

/** `half a million`, `quarter of a million`, or `half` alone, which waits for the scale of a range. */
function takeFractionOfScale(cursor: Cursor, fraction: Decimal): Term {
  const scale = cursor.attempt(() => takeWholeScale(cursor));
  if (scale !== null) return { kind: 'scaled', value: multiply(fraction, scale), scale };
  const numeral = { alone: null, underThousand: fraction, underMillion: fraction };
  return { kind: 'bare', numeral, worded: true };
}

function takeCountedTerm(cursor: Cursor): Term | null {
  const count = takeCount(cursor);
  if (count === null) return null;
  const numeral = withHalf(cursor, count.numeral);
  const scale = cursor.take('scale');
  if (scale === null) return { kind: 'bare', numeral, worded: count.worded };
  const value = scale.dual ? null : under(scale.value, numeral);
  return value && withFraction(cursor, { kind: 'scaled', value, scale: scale.value });
}

/** `two and a half`, before its scale or without one. */
function withHalf(cursor: Cursor, numeral: Numeral): Numeral {
  const { alone } = numeral;
  if (alone === null || alone.places > 0) return numeral;
  const fraction = cursor.attempt(() => cursor.take('and') && takeFraction(cursor));
  return fraction === null ? numeral : everywhere(add(alone, fraction));
}

/** `a million and a half`, `مليونين وربع`, `مليونين إلا ربع`: the part is one of the scale. */
function withFraction(cursor: Cursor, term: ScaledTerm): ScaledTerm {
  const fraction = cursor.attempt(() => {
    const less = cursor.take('less');
    const part = (less ?? cursor.take('and')) && takeFraction(cursor);
    const isOfNextScale = cursor.attempt(() => takeWholeScale(cursor)) !== null;
    if (part === null || isOfNextScale) return null;
    return multiply(less === null ? part : negate(part), term.scale);
  });
  return fraction === null ? term : { ...term, value: add(term.value, fraction) };
}

function takeFraction(cursor: Cursor): Decimal | null {
  cursor.take('article');
  return cursor.take('fraction')?.value ?? null;
}

function takeWholeScale(cursor: Cursor): Decimal | null {
  cursor.take('of');
  cursor.take('article');
  return cursor.take('scale', ({ dual, needsCount }) => !dual && !needsCount)?.value ?? null;
}
