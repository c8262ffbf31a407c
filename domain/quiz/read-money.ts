import { readEnd } from './end.ts';
import type { Phrase } from './phrase.ts';
import { quantityOf, valueOf } from './read-number.ts';
import type { MoneyMeaning } from './reading.ts';

/** One amount with its currency word, in English or Arabic. */
export function readMoney({ lexemes }: Phrase): MoneyMeaning | null {
  const end = lexemes && readEnd(lexemes);
  if (!end || end.surroundings.bound !== null || end.surroundings.currency === null) return null;
  const value = valueOf(end);
  return value === null ? null : { kind: 'money', value, ...quantityOf(end.surroundings) };
}
