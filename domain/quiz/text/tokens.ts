import { foldLetters, foldText } from './fold.ts';

/** The white space between a token and the one before it. */
export type Gap = 'none' | 'space' | 'wide';

export type Token = {
  readonly kind: 'digits' | 'word' | 'mark';
  readonly text: string;
  readonly gap: Gap;
};

const PIECES = /(?<digits>[0-9]+)|(?<word>[\p{L}\p{M}]+)|\S/gu;

/** Cuts a folded text into runs of digits, runs of letters, and single marks. */
export function tokenise(folded: string): Token[] {
  let end = 0;
  return Array.from(folded.matchAll(PIECES), (match): Token => {
    const gap = gapOf(folded.slice(end, match.index));
    end = match.index + match[0].length;
    return { kind: kindOf(match.groups), text: match[0], gap };
  });
}

function gapOf(between: string): Gap {
  if (between === '') return 'none';
  return between === ' ' ? 'space' : 'wide';
}

function kindOf(groups: Record<string, string | undefined> | undefined): Token['kind'] {
  if (groups?.['digits'] !== undefined) return 'digits';
  return groups?.['word'] !== undefined ? 'word' : 'mark';
}

/** Tokens as a text again, each gap a single space. */
export function textOf(tokens: Token[]): string {
  return tokens
    .map(({ gap, text }, at) => (at === 0 || gap === 'none' ? text : ` ${text}`))
    .join('');
}

/** A phrase of a word list in the same folded form as the texts in which it is searched. */
export function phraseKey(phrase: string): string {
  const tokens = tokenise(foldLetters(foldText(phrase)));
  return tokens.map((token) => token.text).join(' ');
}
