import { dayDate, isYear, monthDate } from './calendar.ts';
import type { DateMeaning } from './reading.ts';
import type { Token } from './text/tokens.ts';

const SEPARATORS = new Set(['-', '/', '.']);

/** `2026-03-15`, `25/12/2026`, `2026-03`, `03/2026`: digits with one kind of separator. */
export function readNumericDate(tokens: Token[]): DateMeaning | null {
  const parts = tokens.filter((_token, at) => at % 2 === 0);
  const between = tokens.filter((_token, at) => at % 2 === 1);
  const separator = between[0]?.text ?? '';
  const clean =
    SEPARATORS.has(separator) &&
    between.every((token) => token.text === separator) &&
    parts.every((token) => token.kind === 'digits' && token.text.length <= 4);
  if (!clean) return null;
  const texts = parts.map((token) => token.text);
  if (texts.length === 3) return threeParts(texts);
  return texts.length === 2 && separator !== '.' ? twoParts(texts) : null;
}

/** Year first is year, month, day. Year last is certain only when one order is possible. */
function threeParts(texts: string[]): DateMeaning | null {
  const [a = 0, b = 0, c = 0] = texts.map(Number);
  if (isFourDigits(texts[0])) return shortParts(texts.slice(1)) ? dayDate(a, b, c) : null;
  if (!isFourDigits(texts[2]) || !shortParts(texts.slice(0, 2))) return null;
  if (a <= 12 && b <= 12 && a !== b) return null;
  return a > 12 ? dayDate(c, b, a) : dayDate(c, a, b);
}

function twoParts(texts: string[]): DateMeaning | null {
  const [a = 0, b = 0] = texts.map(Number);
  if (isFourDigits(texts[0]) && shortParts(texts.slice(1))) return monthDate(a, b);
  return isFourDigits(texts[1]) && shortParts(texts.slice(0, 1)) ? monthDate(b, a) : null;
}

function isFourDigits(text = ''): boolean {
  return text.length === 4 && isYear(Number(text));
}

function shortParts(texts: string[]): boolean {
  return texts.every((text) => text.length <= 2);
}
