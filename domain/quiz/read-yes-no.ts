import type { Phrase } from './phrase.ts';
import type { YesNoMeaning } from './reading.ts';
import { foldText } from './text/fold.ts';
import { YES_NO } from './words/yes-no.ts';

const LONGEST_ANSWER = 64;
/** A question mark stays: "yes?" is not certain. */
const PUNCTUATION = /(?![?؟])[\p{P}\p{S}]/gu;
const SPACES = /\s+/gu;

const MEANINGS: ReadonlyMap<string, boolean> = new Map(
  YES_NO.flatMap(({ yes, no }) => [...entries(yes, true), ...entries(no, false)]),
);

/** Only when the whole text is the word: "no preference" is neither yes nor no. */
export function readYesNo({ folded }: Phrase): YesNoMeaning | null {
  if (folded.length > LONGEST_ANSWER) return null;
  const value = MEANINGS.get(keyOf(folded));
  return value === undefined ? null : { kind: 'yes_no', value };
}

function entries(words: string, value: boolean): [string, boolean][] {
  return words.split('|').map((word) => [keyOf(foldText(word)), value]);
}

function keyOf(folded: string): string {
  return folded.replace(PUNCTUATION, ' ').replace(SPACES, ' ').trim();
}
