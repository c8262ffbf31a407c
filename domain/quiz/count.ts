import { decimal, HUNDRED, multiply } from './decimal.ts';
import type { Lexeme } from './lexeme.ts';
import { everywhere, type Numeral } from './numeral.ts';

export type Count = { readonly numeral: Numeral; readonly worded: boolean; readonly next: number };
type Words = { readonly value: number; readonly next: number };

const MOST_SPOKEN_DIGITS = 4;

/** A count below a scale word: `1,500`, `15 hundred`, `two hundred and fifty`, `مئتين وخمسة وعشرين`. */
export function countAt(lexemes: Lexeme[], at: number): Count | null {
  const first = lexemes[at];
  if (first?.kind === 'numeral') return numeralCount(first.numeral, lexemes, at + 1);
  const words = wordsAt(lexemes, at);
  if (words === null) return null;
  const numeral = everywhere(decimal(String(words.value)));
  return pointedCount(words, lexemes) ?? { numeral, worded: true, next: words.next };
}

/** `two point seven five`, `واحد فاصلة خمسة`: each unit after the point is one digit. */
function pointedCount({ value, next }: Words, lexemes: Lexeme[]): Count | null {
  if (lexemes[next]?.kind !== 'point') return null;
  const rest = lexemes.slice(next + 1);
  const end = rest.findIndex((lexeme) => lexeme.kind !== 'count' || lexeme.rank !== 'unit');
  const digits = (end === -1 ? rest : rest.slice(0, end)).map((lexeme) =>
    lexeme.kind === 'count' ? String(lexeme.value) : '',
  );
  if (digits.length === 0 || digits.length > MOST_SPOKEN_DIGITS) return null;
  const numeral = everywhere(decimal(String(value), digits.join('')));
  return { numeral, worded: true, next: next + 1 + digits.length };
}

function numeralCount(numeral: Numeral, lexemes: Lexeme[], next: number): Count | null {
  if (!isHundred(lexemes[next])) return { numeral, worded: false, next };
  const { alone } = numeral;
  if (alone === null || alone.places > 0 || alone.coefficient >= 100n) return null;
  return { numeral: everywhere(multiply(alone, HUNDRED)), worded: false, next: next + 1 };
}

function wordsAt(lexemes: Lexeme[], at: number): Words | null {
  const hundreds = hundredsAt(lexemes, at);
  if (hundreds === null) return belowHundredAt(lexemes, at);
  const joined = isAnd(lexemes[hundreds.next]) ? hundreds.next + 1 : hundreds.next;
  const rest = belowHundredAt(lexemes, joined);
  return rest === null ? hundreds : { value: hundreds.value + rest.value, next: rest.next };
}

function hundredsAt(lexemes: Lexeme[], at: number): Words | null {
  const [first, second] = [lexemes[at], lexemes[at + 1]];
  if (first?.kind !== 'count') return null;
  if (first.rank === 'hundreds') return { value: first.value, next: at + 1 };
  if (first.rank === 'hundred') return { value: 100, next: at + 1 };
  const counted = first.rank === 'unit' && first.value > 0 && isHundred(second);
  return counted ? { value: first.value * 100, next: at + 2 } : null;
}

/** English puts the ten first (`twenty five`), Arabic the unit (`خمسة وعشرين`, `خمسة عشر`). */
function belowHundredAt(lexemes: Lexeme[], at: number): Words | null {
  const [first, second, third] = [lexemes[at], lexemes[at + 1], lexemes[at + 2]];
  if (first?.kind !== 'count' || first.rank === 'hundred' || first.rank === 'hundreds') return null;
  const english = first.rank === 'ten' && first.language === 'en';
  if (english && isRank(second, 'unit', 'en')) return sum(first, second, at + 2);
  const arabicUnit = first.rank === 'unit' && first.language === 'ar' && first.value > 0;
  if (arabicUnit && isRank(second, 'teen', 'ar')) return sum(first, second, at + 2);
  if (arabicUnit && isAnd(second) && isRank(third, 'ten', 'ar')) return sum(first, third, at + 3);
  return { value: first.value, next: at + 1 };
}

type CountLexeme = Extract<Lexeme, { kind: 'count' }>;

function isRank(
  lexeme: Lexeme | undefined,
  rank: CountLexeme['rank'],
  language: CountLexeme['language'],
): lexeme is CountLexeme {
  return lexeme?.kind === 'count' && lexeme.rank === rank && lexeme.language === language;
}

function sum(a: CountLexeme, b: CountLexeme, next: number): Words {
  return { value: a.value + b.value, next };
}

function isHundred(lexeme: Lexeme | undefined): boolean {
  return lexeme?.kind === 'count' && lexeme.rank === 'hundred';
}

function isAnd(lexeme: Lexeme | undefined): boolean {
  return lexeme?.kind === 'and';
}
