import { textOf, type Token } from './tokens.ts';

/** Null if ambiguous: `1.500` is 1500 or 1.5, but `1.500 million` is 1.5 million; `1,5` may be two numbers. */
export type Numeral = Readonly<Record<Use, Decimal | null>> & {
  /** If the point groups and the comma is the decimal one: `500.000`, `19,1`. */
  readonly withDecimalComma: Decimal | null;
  readonly isWhole: boolean;
};
type Use = 'alone' | 'underThousand' | 'underMillion';

const EVERYWHERE: readonly Use[] = ['alone', 'underThousand', 'underMillion'];

/** The first form that fits counts. A leading zero marks a phone, a date or a code. India groups by twos and threes. */
const FORMS: readonly (readonly [form: RegExp, certain: readonly Use[]])[] = [
  // 1500
  [/^(?<integer>0|[1-9]\d*)$/u, EVERYWHERE],
  // 1.500, then 1.5 and .5
  [/^(?<integer>[1-9]\d*)[.٫](?<fraction>\d{3})$/u, ['underMillion']],
  [/^(?<integer>0|[1-9]\d*|)[.٫](?<fraction>\d+)$/u, EVERYWHERE],
  // 0,5, then 1,500, 1,50, 1,5 and 1500,5
  [/^(?<integer>0),(?<fraction>\d+)$/u, EVERYWHERE],
  [/^(?<integer>[1-9]\d{0,2},\d{3})$/u, ['alone', 'underThousand']],
  [/^(?<integer>[1-9]\d{0,2}),(?<fraction>\d{2})$/u, EVERYWHERE],
  [/^(?<integer>[1-9]\d{0,2}),(?<fraction>\d)$/u, ['underThousand', 'underMillion']],
  [/^(?<integer>[1-9]\d{3,}),(?<fraction>\d{1,2})$/u, ['alone']],
  // 1,250.500 may be mistyped
  [/^\d+(\D)\d{3}(?!\1)[.,]\d{3}$/u, []],
  // 1.250.000 or 1.250.000,50, then 12,50,000 or 12,50,000.50
  [/^(?<integer>[1-9]\d{0,2}(\D)\d{3}(?:\2\d{3})*)(?:(?!\2)[.,٫](?<fraction>\d+))?$/u, ['alone']],
  [
    /^(?<integer>[1-9]\d?(\D)\d{2}(?:\2\d{2})*\2\d{3})(?:(?!\2)[.,٫](?<fraction>\d+))?$/u,
    ['alone'],
  ],
];

const MAX_DIGITS = 18;
const SEPARATORS = new Set([',', '.', "'", '٬', '٫']);
const LEADING_GROUP = /^[1-9]\d{0,2}$/u;

export function numeralAt(tokens: Token[], at: number): { numeral: Numeral; next: number } | null {
  let next = at + (isPoint(tokens[at]) ? 2 : 1);
  let text = textOf(tokens.slice(at, next));
  for (let more; (more = joinedTokens(tokens, next, text)).length > 0; next += more.length)
    text += more.map((token) => token.gap + token.text).join('');
  const numeral = text.replace(/\D/gu, '').length <= MAX_DIGITS ? numeralIn(text) : null;
  return numeral && { numeral, next };
}

/** Also the point of `.5`, but not that of `Rs.500`. */
export function startsNumeral(tokens: Token[], at: number): boolean {
  const [before, token, following] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.kind === 'digits') return true;
  const abbreviates = before?.kind === 'word' && token?.gap === '';
  return isPoint(token) && isDigits(following, '') && !abbreviates;
}

/** A separator with its digits, or three digits after a space. */
function joinedTokens(tokens: Token[], at: number, text: string): Token[] {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first?.gap === '' && SEPARATORS.has(first.text))
    return isDigits(second, '') ? tokens.slice(at, at + 2) : [];
  const isSpaced = LEADING_GROUP.test(text) || text.at(-4) === ' ';
  return isSpaced && isDigits(first, ' ') && first.text.length === 3 ? [first] : [];
}

export function isPoint(token: Token | undefined): boolean {
  return token?.text === '.' || token?.text === '٫';
}

function isDigits(token: Token | undefined, gap: string): token is Token {
  return token?.kind === 'digits' && token.gap === gap;
}

function numeralIn(text: string): Numeral | null {
  const numeral = readForm(text);
  if (numeral === null || numeral.alone !== null) return numeral;
  const swapped = text.replace(/[.,]/gu, (mark) => (mark === '.' ? ',' : '.'));
  return { ...numeral, withDecimalComma: readForm(swapped)?.alone ?? null };
}

function readForm(text: string): Numeral | null {
  const [form, certain = []] = FORMS.find(([each]) => each.test(text)) ?? [];
  const { integer, fraction } = form?.exec(text)?.groups ?? {};
  if (integer === undefined) return null;
  const value = decimal(integer.replace(/\D/gu, ''), fraction);
  return numeralOf(value, { certain, isWhole: fraction === undefined });
}

export function numeralOf(value: Decimal, { certain = EVERYWHERE, isWhole = true } = {}): Numeral {
  const worth = (use: Use) => (certain.includes(use) ? value : null);
  return {
    alone: worth('alone'),
    underThousand: worth('underThousand'),
    underMillion: worth('underMillion'),
    withDecimalComma: null,
    isWhole,
  };
}

/** In units of the last place: 1.1 million is 1100000, not 1100000.0000000001. */
export type Decimal = bigint;

const PLACES = MAX_DIGITS;
export const ONE = 10n ** BigInt(PLACES);
export const THOUSAND = 1000n * ONE;

export function decimal(integer: string, fraction = ''): Decimal {
  return BigInt(integer + fraction.padEnd(PLACES, '0'));
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return (a * b) / ONE;
}

export function decimalText(value: Decimal): string {
  const [sign, size] = value < 0n ? ['-', -value] : ['', value];
  const fraction = String(size % ONE)
    .padStart(PLACES, '0')
    .replace(/0+$/u, '');
  return `${sign}${size / ONE}${fraction && `.${fraction}`}`;
}
