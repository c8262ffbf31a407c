import { countAt } from './count.ts';
import { add, compare, decimal, multiply, negate, type Decimal } from './decimal.ts';
import type { Lexeme } from './lexeme.ts';
import type { Numeral } from './numeral.ts';

/** One count with at most one scale: `1,5 million`, `half a million`, `مليون ونصف`, `250`. */
export type Term =
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
const THOUSAND = decimal('1000');

export function termAt(lexemes: Lexeme[], at: number): Term | null {
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
  const value = add(alone, fraction.value);
  const numeral = { alone: value, underThousand: value, underMillion: value };
  return { ...term, numeral, next: fraction.next };
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
