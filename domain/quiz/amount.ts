import { add, compare, decimal, type Decimal } from './decimal.ts';
import type { Lexeme } from './lexeme.ts';
import type { Numeral } from './numeral.ts';
import { termAt, type Term } from './term.ts';

/** `bare` can still take the scale of the other end of its range; `scaled` cannot. */
export type Amount =
  | { readonly kind: 'bare'; readonly numeral: Numeral }
  | {
      readonly kind: 'scaled';
      readonly value: Decimal;
      /** The scale that may cover the other end; null where the amount has several. */
      readonly scale: Decimal | null;
    };

type Found = { readonly amount: Amount; readonly next: number };

const THOUSAND = decimal('1000');

/** The longest amount that begins here: `2 million 500 thousand`, `ألف وخمسمائة`, `1.5m`. */
export function amountAt(lexemes: Lexeme[], at: number): Found | null {
  const first = termAt(lexemes, at);
  if (first === null) return null;
  if (first.kind === 'bare') {
    return { amount: { kind: 'bare', numeral: first.numeral }, next: first.next };
  }
  let { value, scale: smallest, next } = first;
  for (;;) {
    const more = smallerTermAt(lexemes, next, smallest);
    if (more === null) break;
    [value, smallest, next] = [add(value, more.value), more.scale, more.next];
  }
  const scale = next === first.next ? first.scale : null;
  return { amount: { kind: 'scaled', value, scale }, next };
}

type Addend = { readonly value: Decimal; readonly scale: Decimal; readonly next: number };

function smallerTermAt(lexemes: Lexeme[], at: number, smallest: Decimal): Addend | null {
  const joined = lexemes[at]?.kind === 'and';
  const term = termAt(lexemes, joined ? at + 1 : at);
  if (term === null) return null;
  if (term.kind === 'bare') return afterThousand(term, joined, smallest);
  return compare(term.value, smallest) < 0 ? term : null;
}

/**
 * Only after "thousand" is a count without a scale certain: `مليون ومئتين` may mean two hundred
 * thousand more. Digits need the "and", or `50k 100` would be 50,100.
 */
function afterThousand(
  term: Extract<Term, { kind: 'bare' }>,
  joined: boolean,
  smallest: Decimal,
): Addend | null {
  const value = term.numeral.alone;
  if (value === null || compare(smallest, THOUSAND) !== 0) return null;
  const fits = compare(value, THOUSAND) < 0 && (joined || term.worded);
  return fits ? { value, scale: decimal('1'), next: term.next } : null;
}
