import { phraseOf, type Phrase } from './phrase.ts';
import { readDate } from './read-date.ts';
import { readNumber } from './read-number.ts';
import { readRange } from './read-range.ts';
import { readYesNo } from './read-yes-no.ts';
import { readingOf, type Reading, type ValueMeaning } from './reading.ts';

/** A longer text is stored and not read. */
export const MAX_TEXT_LENGTH = 250;

/** In the specification's order; the first rule that understands the whole text reads it. */
const RULES: readonly ((phrase: Phrase) => ValueMeaning | null)[] = [
  readNumber,
  readRange,
  readDate,
  readYesNo,
];

export function readText(text: string): Reading {
  if (text.length > MAX_TEXT_LENGTH) {
    return readingOf({ kind: 'unread', reason: 'too_long' }, 'none', text);
  }
  const read = readPhrase(phraseOf(text));
  if (read !== null) return readingOf(read, read.kind, text);
  return readingOf({ kind: 'unread', reason: 'not_understood' }, 'none', text);
}

export function readPhrase(phrase: Phrase): ValueMeaning | null {
  for (const read of RULES) {
    const meaning = read(phrase);
    if (meaning !== null) return meaning;
  }
  return null;
}
