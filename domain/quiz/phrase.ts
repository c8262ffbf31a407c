import {
  lexemeOf,
  lexemesOf,
  LONGEST_PHRASE,
  type Lexeme,
  type LexemeKind,
} from './amount-words.ts';
import { isPoint, numeralAt, startsNumeral, THOUSAND } from './numeral.ts';
import { foldLetters, foldText, textOf, tokenise, type Token } from './tokens.ts';

/** A text prepared once for all rules. */
export type Phrase = {
  readonly folded: string;
  readonly tokens: Token[];
  /** Null if something in the text is not part of any quantity. */
  readonly lexemes: Lexeme[] | null;
};

const CLOSING_MARKS = new Set(['.', ',', ';', '!', '؛']);

export function phraseOf(text: string): Phrase {
  const folded = foldText(text);
  const tokens = withoutClosingMarks(tokenise(foldLetters(folded)));
  return { folded, tokens, lexemes: lex(tokens) };
}

function withoutClosingMarks(tokens: Token[]): Token[] {
  const last = tokens.findLastIndex((token) => !CLOSING_MARKS.has(token.text));
  return tokens.slice(0, last + 1);
}

type Piece = { readonly lexemes: Lexeme[]; readonly next: number };

/** The lexemes of a quantity. Null if any token belongs to none, since no token is ignored. */
function lex(tokens: Token[]): Lexeme[] | null {
  const lexemes: Lexeme[] = [];
  let at = 0;
  while (at < tokens.length) {
    const piece = pieceAt(tokens, at, lexemes.at(-1));
    if (piece === null) return null;
    lexemes.push(...piece.lexemes);
    at = piece.next;
  }
  return lexemes;
}

function pieceAt(tokens: Token[], at: number, before: Lexeme | undefined): Piece | null {
  if (startsNumeral(tokens, at)) {
    // `1m .2m` is no 1.2 million.
    if (before?.kind === 'scale' && tokens[at]?.kind !== 'digits') return null;
    const read = numeralAt(tokens, at);
    return read && { lexemes: [{ kind: 'numeral', numeral: read.numeral }], next: read.next };
  }
  return (
    minusAt(tokens, at) ??
    hyphenAt(tokens, at) ??
    rangePointsAt(tokens, at, before) ??
    phraseAt(tokens, at, before) ??
    prefixedAt(tokens, at)
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
  const joins = before?.kind === 'count' && before.rank === 'ten' && after?.kind === 'count';
  return joins && after.rank === 'unit' ? { lexemes: [], next: at + 1 } : null;
}

/** `1m..2m` is a range. `1..5` is none: it may be a mistyped 1.5. */
function rangePointsAt(tokens: Token[], at: number, before: Lexeme | undefined): Piece | null {
  let next = at;
  while (isPoint(tokens[next]) && (next === at || tokens[next]?.gap === '')) next += 1;
  const isRange = before?.kind === 'scale' && next - at > 1;
  return isRange ? { lexemes: [{ kind: 'dash' }], next } : null;
}

function phraseAt(tokens: Token[], at: number, before: Lexeme | undefined): Piece | null {
  for (let length = Math.min(LONGEST_PHRASE, tokens.length - at); length > 0; length -= 1) {
    const lexemes = readPhrase(tokens.slice(at, at + length), before);
    if (lexemes !== undefined) return { lexemes, next: afterPoint(tokens, at + length) };
  }
  return null;
}

function readPhrase(phrase: Token[], before: Lexeme | undefined): Lexeme[] | undefined {
  const key = phrase.map((token) => token.text).join(' ');
  const [lexeme, ...others] = lexemesOf(key);
  if (lexeme === undefined || (key === 'min' && mayCountMinutes(before))) return undefined;
  // A currency word is recorded as the folded text has it.
  if (lexeme.kind === 'currency') return [{ ...lexeme, word: textOf(phrase) }];
  const fits = others.length === 0 || before === undefined || OPENERS.has(before.kind);
  return fits ? [lexeme, ...others] : undefined;
}

/** `10 min` may be ten minutes; `1m min`, `5,000 min` and `min 10` are least amounts. */
function mayCountMinutes(before: Lexeme | undefined): boolean {
  if (before?.kind === 'count') return true;
  if (before?.kind !== 'numeral') return false;
  const { alone } = before.numeral;
  return alone === null || alone < THOUSAND;
}

/** Two rooms are no part of a number before them: `50 ألف غرفتين` is not 50,002 rooms. */
const OPENERS: ReadonlySet<LexemeKind> = new Set([
  'from',
  'to',
  'dash',
  'tilde',
  'between',
  'bound',
  'approximately',
]);

/** The point of an abbreviation: `approx. 2 mn. dhs.` */
function afterPoint(tokens: Token[], at: number): number {
  const [before, point, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  const abbreviates = before?.kind === 'word' && point?.text === '.' && point.gap === '';
  const isOneOfSeveral = isPoint(after) && after?.gap === '';
  return abbreviates && !isOneOfSeveral && !startsNumeral(tokens, at) ? at + 1 : at;
}

/** Arabic writes "and" and "to" onto the next word: ونصف, لمليونين. */
function prefixedAt(tokens: Token[], at: number): Piece | null {
  const word = tokens[at]?.text ?? '';
  const prefix = word.startsWith('و') ? 'and' : word.startsWith('ل') ? 'to' : null;
  const rest = lexemeOf(word.slice(1));
  if (prefix === null || rest === undefined || !AMOUNT_KINDS.has(rest.kind)) return null;
  return { lexemes: [{ kind: prefix }, rest], next: at + 1 };
}

const AMOUNT_KINDS: ReadonlySet<LexemeKind> = new Set(['count', 'scale', 'fraction']);
