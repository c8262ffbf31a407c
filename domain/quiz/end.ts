import { amountAt, type Amount } from './amount.ts';
import type { BoundSide, Lexeme } from './lexeme.ts';

type CurrencyLexeme = Extract<Lexeme, { kind: 'currency' }>;

/** One amount with the words around it; a range has two of them. */
export type End = {
  readonly amount: Amount;
  readonly negative: boolean;
  readonly hundreds: boolean;
  readonly surroundings: Surroundings;
};

export type Surroundings = {
  readonly currency: CurrencyLexeme | null;
  readonly unit: string | null;
  readonly bound: BoundSide | null;
  readonly approximate: boolean;
};

const NOTHING: Surroundings = { currency: null, unit: null, bound: null, approximate: false };

/** Reads all of the lexemes as one end, or none: nothing left over is ignored. */
export function readEnd(lexemes: Lexeme[]): End | null {
  const negative = lexemes[0]?.kind === 'minus';
  const before = gather(lexemes, negative ? 1 : 0, NOTHING, 'before');
  const found = before && amountAt(lexemes, before.next);
  if (!found) return null;
  const after = gather(lexemes, found.next, before.surroundings, 'after');
  if (after === null || after.next < lexemes.length) return null;
  const hundreds = lexemes.some(isHundred);
  return { amount: found.amount, negative, hundreds, surroundings: after.surroundings };
}

function isHundred(lexeme: Lexeme): boolean {
  return lexeme.kind === 'count' && (lexeme.rank === 'hundred' || lexeme.rank === 'hundreds');
}

type Gathered = { readonly surroundings: Surroundings; readonly next: number };

/** Null where words contradict each other: two currencies, two bounds, a unit and a currency. */
function gather(
  lexemes: Lexeme[],
  from: number,
  start: Surroundings,
  place: 'before' | 'after',
): Gathered | null {
  let surroundings = start;
  let next = from;
  for (let lexeme = lexemes[next]; lexeme !== undefined; lexeme = lexemes[next]) {
    const added = surroundingsOf(lexeme, place);
    if (added === null) break;
    const both = merge(surroundings, added);
    if (both === null) return null;
    [surroundings, next] = [both, next + 1];
  }
  return { surroundings, next };
}

function surroundingsOf(lexeme: Lexeme, place: 'before' | 'after'): Surroundings | null {
  switch (lexeme.kind) {
    case 'currency':
      return { ...NOTHING, currency: lexeme };
    case 'approximately':
      return { ...NOTHING, approximate: true };
    case 'bound':
      return lexeme.place === 'both' || lexeme.place === place
        ? { ...NOTHING, bound: lexeme.side }
        : null;
    case 'unit':
      return place === 'after' ? { ...NOTHING, unit: lexeme.unit } : null;
    case 'filler':
      return place === 'after' ? NOTHING : null;
    case 'from':
      return place === 'before' ? { ...NOTHING, bound: 'min' } : null;
    case 'tilde':
      return place === 'before' ? { ...NOTHING, approximate: true } : null;
    default:
      return null;
  }
}

/** The surroundings of both ends of a range, or of both sides of one end. */
export function merge(a: Surroundings, b: Surroundings): Surroundings | null {
  const currency = sameCurrency(a.currency, b.currency);
  if (currency === undefined) return null;
  if (a.unit !== null && b.unit !== null && a.unit !== b.unit) return null;
  if (a.bound !== null && b.bound !== null) return null;
  const unit = a.unit ?? b.unit;
  if (unit !== null && currency !== null) return null;
  return {
    currency,
    unit,
    bound: a.bound ?? b.bound,
    approximate: a.approximate || b.approximate,
  };
}

function sameCurrency(a: CurrencyLexeme | null, b: CurrencyLexeme | null) {
  if (a === null || b === null) return a ?? b;
  return a.code === b.code && (a.code !== null || a.word === b.word) ? a : undefined;
}
