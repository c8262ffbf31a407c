import { lex } from './lex.ts';
import type { Lexeme } from './lexeme.ts';
import { foldLetters, foldText } from './text/fold.ts';
import { tokenise, type Token } from './text/tokens.ts';

/** A text made ready for all rules, so that each of them only decides. */
export type Phrase = {
  readonly folded: string;
  readonly tokens: Token[];
  /** Null when something in the text is not part of any quantity. */
  readonly lexemes: Lexeme[] | null;
};

const CLOSING_MARKS = new Set(['.', ',', ';', '!', '؛']);

export function phraseOf(text: string): Phrase {
  const folded = foldText(text);
  const tokens = withoutClosingMarks(tokenise(foldLetters(folded)));
  return { folded, tokens, lexemes: lex(tokens) };
}

function withoutClosingMarks(tokens: Token[]): Token[] {
  let end = tokens.length;
  while (end > 0 && CLOSING_MARKS.has(tokens[end - 1]?.text ?? '')) end -= 1;
  return tokens.slice(0, end);
}
