import { takeAmount, type Amount } from './amount.ts';
import { Cursor, type BoundSide, type Lexeme } from './lexeme.ts';
import type { Quantity } from './reading.ts';

/** One amount with the words around it; a range has two of them. */
export type End = {
  readonly amount: Amount;
  readonly negative: boolean;
  /** Whether a word for hundreds is in it. */
  readonly hundreds: boolean;
  readonly bound: BoundSide | null;
  readonly quantity: Quantity;
};

/** Reads all of the lexemes as one end, or none: nothing left over is ignored. */
export function readEnd(lexemes: readonly Lexeme[]): End | null {
  const cursor = new Cursor(lexemes);
  const negative = cursor.take('minus') !== null;
  const before = takeMeanings(cursor, 'before');
  const amount = takeAmount(cursor);
  const meanings = [...before, ...takeMeanings(cursor, 'after')];
  const quantity = combineQuantities(meanings);
  const [bound = null, another] = meanings.flatMap((meaning) => meaning.bound ?? []);
  if (amount === null || quantity === null || another !== undefined || !cursor.isAtEnd) return null;
  return { amount, negative, hundreds: lexemes.some(isHundred), bound, quantity };
}

function isHundred(lexeme: Lexeme): boolean {
  return lexeme.kind === 'count' && (lexeme.rank === 'hundred' || lexeme.rank === 'hundreds');
}

type Place = 'before' | 'after';
type WordMeaning = Partial<Quantity> & { readonly bound?: BoundSide };

function takeMeanings(cursor: Cursor, place: Place): WordMeaning[] {
  const meanings: WordMeaning[] = [];
  for (let meaning; (meaning = cursor.takeAs((lexeme) => meaningOf(lexeme, place)));)
    meanings.push(meaning);
  return meanings;
}

/** Null for a lexeme that is no word beside an amount. */
function meaningOf(lexeme: Lexeme, place: Place): WordMeaning | null {
  const isBefore = place === 'before';
  switch (lexeme.kind) {
    case 'currency':
      return { currency: lexeme.code, currencyWord: lexeme.word };
    case 'approximately':
      return { approximate: true };
    case 'bound':
      return lexeme.place === 'both' || lexeme.place === place ? { bound: lexeme.side } : null;
    case 'unit':
      return isBefore ? null : { unit: lexeme.unit };
    case 'filler':
      return isBefore ? null : {};
    case 'from':
      return isBefore ? { bound: 'min' } : null;
    case 'tilde':
      return isBefore ? { approximate: true } : null;
    default:
      return null;
  }
}

/** Null where they contradict each other: two currencies, two units, a unit and a currency. */
export function combineQuantities(quantities: readonly Partial<Quantity>[]): Quantity | null {
  const [unit = null, otherUnit] = new Set(quantities.flatMap((each) => each.unit ?? []));
  const [money, ...others] = quantities.filter((each) => each.currencyWord);
  const { currency = null, currencyWord = null } = money ?? {};
  const isSame = (other: Partial<Quantity>) =>
    other.currency === currency && (currency !== null || other.currencyWord === currencyWord);
  if (otherUnit !== undefined || !others.every(isSame) || (unit !== null && money)) return null;
  const approximate = quantities.some((each) => each.approximate);
  return { unit, currency, currencyWord, approximate };
}
