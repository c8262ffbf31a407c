import { add, compare, decimal, multiply, negate, THOUSAND, type Decimal } from './decimal.ts';
import { countAt } from './count.ts';
import type { Lexeme } from './lexeme.ts';
import { everywhere, type Numeral } from './numeral.ts';

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

type Addend = Omit<Scaled, 'kind'>;

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
function afterThousand(term: Bare, joined: boolean, smallest: Decimal): Addend | null {
  const value = term.numeral.alone;
  if (value === null || compare(smallest, THOUSAND) !== 0) return null;
  const fits = compare(value, THOUSAND) < 0 && (joined || term.worded);
  return fits ? { value, scale: decimal('1'), next: term.next } : null;
}

/** One count with at most one scale: `1,5 million`, `half a million`, `مليون ونصف`, `250`. */
type Term =
  | {
      readonly kind: 'bare';
      readonly numeral: Numeral;
      readonly worded: boolean;
      readonly next: number;
    }
  | {
      readonly kind: 'scaled';
      readonly value: Decimal;
      readonly scale: Decimal;
      readonly next: number;
    };

type Bare = Extract<Term, { kind: 'bare' }>;
type Scaled = Extract<Term, { kind: 'scaled' }>;

const TWO = decimal('2');

function termAt(lexemes: Lexeme[], at: number): Term | null {
  const article = lexemes[at]?.kind === 'article';
  const start = article ? at + 1 : at;
  const first = lexemes[start];
  if (first?.kind === 'fraction') return fractionOfScale(first.value, lexemes, start + 1);
  if (first?.kind === 'scale') return scaleAlone(first, lexemes, start + 1);
  const hundred = first?.kind === 'count' && first.rank === 'hundred';
  return article && !hundred ? null : countedTerm(lexemes, start);
}

/** The value of a numeral under a scale; null for a grouped one whose value is in doubt. */
export function under(scale: Decimal, numeral: Numeral): Decimal | null {
  const worth = compare(scale, THOUSAND) === 0 ? numeral.underThousand : numeral.underMillion;
  return worth && multiply(worth, scale);
}

/** `half a million`, `quarter of a million`, or `half` alone, which waits for the scale of a range. */
function fractionOfScale(fraction: Decimal, lexemes: Lexeme[], at: number): Term {
  const scale = scaleAfterArticle(lexemes, at);
  if (scale !== null) return scaled(multiply(fraction, scale.value), scale.value, scale.next);
  const numeral = { alone: null, underThousand: fraction, underMillion: fraction };
  return { kind: 'bare', numeral, worded: true, next: at };
}

function scaleAlone(
  lexeme: Extract<Lexeme, { kind: 'scale' }>,
  lexemes: Lexeme[],
  next: number,
): Term | null {
  if (lexeme.needsCount) return null;
  const value = lexeme.dual ? multiply(TWO, lexeme.value) : lexeme.value;
  return withFraction(scaled(value, lexeme.value, next), lexemes);
}

function countedTerm(lexemes: Lexeme[], at: number): Term | null {
  const count = countAt(lexemes, at);
  if (count === null) return null;
  const term: Bare = withHalf({ kind: 'bare', ...count }, lexemes);
  const scale = lexemes[term.next];
  if (scale?.kind !== 'scale') return term;
  const value = scale.dual ? null : under(scale.value, term.numeral);
  if (value === null) return null;
  return withFraction(scaled(value, scale.value, term.next + 1), lexemes);
}

/** `two and a half`, before its scale or without one. */
function withHalf(term: Bare, lexemes: Lexeme[]): Bare {
  const fraction = joinedFraction(lexemes, term.next);
  const { alone } = term.numeral;
  if (fraction === null || alone === null || alone.places > 0) return term;
  return { ...term, numeral: everywhere(add(alone, fraction.value)), next: fraction.next };
}

/** `a million and a half`, `مليونين وربع`, `مليونين إلا ربع`: the part is one of the scale. */
function withFraction(term: Scaled, lexemes: Lexeme[]): Scaled {
  const less = lexemes[term.next]?.kind === 'less';
  const fraction = less ? fractionAt(lexemes, term.next + 1) : joinedFraction(lexemes, term.next);
  if (fraction === null || scaleAfterArticle(lexemes, fraction.next) !== null) return term;
  const part = multiply(less ? negate(fraction.value) : fraction.value, term.scale);
  return { ...term, value: add(term.value, part), next: fraction.next };
}

function joinedFraction(lexemes: Lexeme[], at: number) {
  return lexemes[at]?.kind === 'and' ? fractionAt(lexemes, at + 1) : null;
}

function fractionAt(lexemes: Lexeme[], at: number) {
  const start = lexemes[at]?.kind === 'article' ? at + 1 : at;
  const lexeme = lexemes[start];
  return lexeme?.kind === 'fraction' ? { value: lexeme.value, next: start + 1 } : null;
}

function scaleAfterArticle(lexemes: Lexeme[], at: number) {
  let next = at;
  if (lexemes[next]?.kind === 'of') next += 1;
  if (lexemes[next]?.kind === 'article') next += 1;
  const lexeme = lexemes[next];
  const scale = lexeme?.kind === 'scale' && !lexeme.dual && !lexeme.needsCount;
  return scale ? { value: lexeme.value, next: next + 1 } : null;
}

function scaled(value: Decimal, scale: Decimal, next: number): Scaled {
  return { kind: 'scaled', value, scale, next };
}
