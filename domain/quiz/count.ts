import { decimal, HUNDRED, multiply, type Decimal } from './decimal.ts';
import type { Cursor, LexemeOf } from './lexeme.ts';
import { everywhere, type Numeral } from './numeral.ts';

type CountLexeme = LexemeOf<'count'>;
export type Count = { readonly numeral: Numeral; readonly worded: boolean };

const MOST_SPOKEN_DIGITS = 4;

/** A count below a scale word: `1,500`, `15 hundred`, `two hundred and fifty`, `مئتين وخمسة وعشرين`. */
export function takeCount(cursor: Cursor): Count | null {
  const digits = cursor.take('numeral');
  if (digits !== null) return takeHundredfold(cursor, digits.numeral);
  const value = takeWords(cursor);
  if (value === null) return null;
  const pointed = cursor.attempt(() => takeSpokenDecimal(cursor, value));
  return { numeral: everywhere(pointed ?? decimal(String(value))), worded: true };
}

function takeHundredfold(cursor: Cursor, numeral: Numeral): Count | null {
  if (takeRank(cursor, 'hundred') === null) return { numeral, worded: false };
  const { alone } = numeral;
  if (alone === null || alone.places > 0 || alone.coefficient >= 100n) return null;
  return { numeral: everywhere(multiply(alone, HUNDRED)), worded: false };
}

/** `two point seven five`, `واحد فاصلة خمسة`: each unit after the point is one digit. */
function takeSpokenDecimal(cursor: Cursor, integer: number): Decimal | null {
  if (cursor.take('point') === null) return null;
  let digits = '';
  for (let unit; (unit = takeRank(cursor, 'unit'));) digits += String(unit.value);
  const fits = digits.length > 0 && digits.length <= MOST_SPOKEN_DIGITS;
  return fits ? decimal(String(integer), digits) : null;
}

function takeWords(cursor: Cursor): number | null {
  const hundreds = cursor.attempt(() => takeHundreds(cursor));
  if (hundreds === null) return takeBelowHundred(cursor);
  const rest = cursor.attempt(() => {
    cursor.take('and');
    return takeBelowHundred(cursor);
  });
  return hundreds + (rest ?? 0);
}

function takeHundreds(cursor: Cursor): number | null {
  const whole = takeRank(cursor, 'hundreds');
  if (whole !== null) return whole.value;
  const unit = cursor.take('count', ({ rank, value }) => rank === 'unit' && value > 0);
  const hundred = takeRank(cursor, 'hundred');
  return hundred && hundred.value * (unit?.value ?? 1);
}

/** English puts the ten first (`twenty five`), Arabic the unit (`خمسة وعشرين`, `خمسة عشر`). */
function takeBelowHundred(cursor: Cursor): number | null {
  const first = takeRank(cursor, 'unit') ?? takeRank(cursor, 'teen') ?? takeRank(cursor, 'ten');
  if (first === null) return null;
  const { rank, value } = first;
  if (first.language === 'ar') {
    const ten = rank === 'unit' && value > 0 ? takeArabicTen(cursor) : null;
    return value + (ten?.value ?? 0);
  }
  const unit = rank === 'ten' ? takeRank(cursor, 'unit', 'en') : null;
  return value + (unit?.value ?? 0);
}

function takeArabicTen(cursor: Cursor): CountLexeme | null {
  const afterAnd = () => cursor.take('and') && takeRank(cursor, 'ten', 'ar');
  return takeRank(cursor, 'teen', 'ar') ?? cursor.attempt(afterAnd);
}

/** The next count word where it is of this rank, and of this language if one is given. */
function takeRank(
  cursor: Cursor,
  wanted: CountLexeme['rank'],
  spoken?: CountLexeme['language'],
): CountLexeme | null {
  return cursor.take(
    'count',
    ({ rank, language }) => rank === wanted && (spoken ?? language) === language,
  );
}
