import { lexemeOf, lexemesOf, longestPhraseFrom, type Lexeme } from './amount-words.ts';
import { isPoint, numeralAt, startsNumeral, THOUSAND } from './numeral.ts';
import { foldLetters, foldText, textOf, tokenise, type Token } from './tokens.ts';

export type Phrase = {
  readonly folded: string;
  readonly tokens: Token[];
  readonly lexemes: Lexeme[] | null;
};

const CLOSING_MARKS = new Set(['.', ',', ';', '!', '؛']);

/** These are currencies only in capitals: `try 5`, `5 kgs`, `btn 1 and 2 million`. */
const CODES_THAT_ARE_WORDS =
  /(?<!\p{L})(?:all|amd|ang|bam|bob|btn|che|cop|cou|cup|gel|ils|kgs|lak|mad|mdl|mga|mnt|mop|mur|pen|ron|sos|top|try|wst)(?!\p{L})/giu;

export function phraseOf(text: string): Phrase {
  const folded = foldText(text);
  const tokens = withoutClosingMarks(tokenise(foldLetters(folded)));
  const words = text.match(CODES_THAT_ARE_WORDS) ?? [];
  const hasOtherWord = words.some((word) => word !== word.toUpperCase());
  return { folded, tokens, lexemes: hasOtherWord ? null : lex(tokens.flatMap(prefixApart)) };
}

function withoutClosingMarks(tokens: Token[]): Token[] {
  const last = tokens.findLastIndex((token) => !CLOSING_MARKS.has(token.text));
  return tokens.slice(0, last + 1);
}

type Piece = { readonly lexemes: readonly Lexeme[]; readonly next: number };

/** Arabic joins "and" and "to" to the next word: ونصف, لمليونين. */
function prefixApart(token: Token): Token[] {
  const [prefix, rest] = [token.text.slice(0, 1), token.text.slice(1)];
  const isPrefixed = /[ول]/u.test(prefix) && longestPhraseFrom(token.text) === 0;
  const isApart = isPrefixed && longestPhraseFrom(rest) > 0;
  return isApart ? [prefix, rest].map((text) => ({ ...token, text })) : [token];
}

function lex(tokens: Token[]): Lexeme[] | null {
  const lexemes: Lexeme[] = [];
  let at = 0;
  while (at < tokens.length) {
    const piece = pieceAt(tokens, at, lexemes);
    if (piece === null) return null;
    lexemes.push(...piece.lexemes);
    at = piece.next;
  }
  return lexemes;
}

function pieceAt(tokens: Token[], at: number, lexemes: Lexeme[]): Piece | null {
  const before = lexemes.at(-1);
  if (startsNumeral(tokens, at)) {
    // `1m .2m` is not 1.2 million.
    if (before?.kind === 'scale' && tokens[at]?.kind !== 'digits') return null;
    const read = numeralAt(tokens, at);
    return read && { lexemes: [{ kind: 'numeral', numeral: read.numeral }], next: read.next };
  }
  return (
    minusAt(tokens, at) ??
    hyphenAt(tokens, at) ??
    rangePointsAt(tokens, at, before) ??
    andAt(tokens, at, lexemes) ??
    phraseAt(tokens, at, before)
  );
}

/** A minus sign is the first token and touches its digits. */
function minusAt(tokens: Token[], at: number): Piece | null {
  const following = tokens[1];
  const signed = at === 0 && tokens[0]?.text === '-' && following?.gap === '';
  return signed && following.kind === 'digits' ? { lexemes: [{ kind: 'minus' }], next: 1 } : null;
}

/** The hyphen of `twenty-five` joins; any other is the dash of a range. */
function hyphenAt(tokens: Token[], at: number): Piece | null {
  if (tokens[at]?.text !== '-') return null;
  const [before, after] = [tokens[at - 1], tokens[at + 1]].map((token) => lexemeOf(token?.text));
  const joins = before?.kind === 'count' && before.rank === 'en-ten' && after?.kind === 'count';
  return joins && after.rank === 'en-unit' ? { lexemes: [], next: at + 1 } : null;
}

/** `1m..2m` is a range, but `1..5` may be a mistyped 1.5. */
function rangePointsAt(tokens: Token[], at: number, before: Lexeme | undefined): Piece | null {
  let next = at;
  while (isPoint(tokens[next]) && (next === at || tokens[next]?.gap === '')) next += 1;
  const isRange = before?.kind === 'scale' && next - at > 1;
  return isRange ? { lexemes: [{ kind: 'dash' }], next } : null;
}

/** `and less than` opens the second end of a range, `and less` closes the only one. */
function andAt(tokens: Token[], at: number, lexemes: Lexeme[]): Piece | null {
  if (lexemeOf(tokens[at]?.text)?.kind !== 'and' || !lexemes.slice(0, 9).some(isBound)) return null;
  const isOpened = phraseAt(tokens, at + 1, undefined)?.lexemes.some(isBound);
  return isOpened ? { lexemes: [{ kind: 'and' }], next: at + 1 } : null;
}

export function isBound({ kind }: Lexeme): boolean {
  return kind === 'bound' || kind === 'from';
}

function phraseAt(tokens: Token[], at: number, before: Lexeme | undefined): Piece | null {
  const longest = longestPhraseFrom(tokens[at]?.text ?? '');
  for (let length = Math.min(longest, tokens.length - at); length > 0; length -= 1) {
    const lexemes = readPhrase(tokens.slice(at, at + length), before);
    if (lexemes !== undefined) return { lexemes, next: afterPoint(tokens, at + length) };
  }
  return null;
}

function readPhrase(phrase: Token[], before: Lexeme | undefined): readonly Lexeme[] | undefined {
  const key = phrase.map((token) => token.text).join(' ');
  const lexemes = lexemesOf(key);
  const [lexeme] = lexemes;
  if (lexeme === undefined || (key === 'min' && mayCountMinutes(before))) return undefined;
  return lexeme.kind === 'currency' ? [{ ...lexeme, word: textOf(phrase) }] : lexemes;
}

/** `10 min` may be ten minutes; `1m min`, `5,000 min` and `min 10` are least amounts. */
function mayCountMinutes(before: Lexeme | undefined): boolean {
  if (before?.kind === 'count') return true;
  if (before?.kind !== 'numeral') return false;
  const { alone } = before.numeral;
  return alone === null || alone < THOUSAND;
}

/** The point of an abbreviation: `approx. 2 mn. dhs.` */
function afterPoint(tokens: Token[], at: number): number {
  const [before, point, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const abbreviates = before?.kind === 'word' && point?.text === '.' && point.gap === '';
  const isOneOfSeveral = isPoint(after) && after?.gap === '';
  return abbreviates && !isOneOfSeveral && !startsNumeral(tokens, at) ? at + 1 : at;
}
