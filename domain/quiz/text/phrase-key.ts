import { foldLetters, foldText } from './fold.ts';
import { tokenise } from './tokens.ts';

/** A phrase of a word list, cut the same way as the texts in which it is looked up. */
export function phraseKey(phrase: string): string {
  const tokens = tokenise(foldLetters(foldText(phrase)));
  return tokens.map((token) => token.text).join(' ');
}
