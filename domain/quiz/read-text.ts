import { phraseOf, type Phrase } from './phrase.ts';
import { readDate } from './read-date.ts';
import { readMoney } from './read-money.ts';
import { readNumber } from './read-number.ts';
import { readRange } from './read-range.ts';
import { readYesNo } from './read-yes-no.ts';
import { readingOf, type Reading, type ValueMeaning } from './reading.ts';

/** Longer than any answer to a question; a longer text is kept and not read. */
export const MAX_TEXT_LENGTH = 2_000;

type Rule = {
  readonly rule: ValueMeaning['kind'];
  readonly read: (phrase: Phrase) => ValueMeaning | null;
};

/** The order of the specification: the first rule that understands the whole text reads it. */
const RULES: readonly Rule[] = [
  { rule: 'number', read: readNumber },
  { rule: 'range', read: readRange },
  { rule: 'money', read: readMoney },
  { rule: 'date', read: readDate },
  { rule: 'yes_no', read: readYesNo },
];

export function readText(text: string): Reading {
  if (text.length > MAX_TEXT_LENGTH) {
    return readingOf({ kind: 'unread', reason: 'too_long' }, 'none', text);
  }
  const phrase = phraseOf(text);
  for (const { rule, read } of RULES) {
    const meaning = read(phrase);
    if (meaning !== null) return readingOf(meaning, rule, text);
  }
  return readingOf({ kind: 'unread', reason: 'not_understood' }, 'none', text);
}
