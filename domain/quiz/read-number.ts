import { decimalText, negate, type Decimal } from './decimal.ts';
import { readEnd, type End } from './end.ts';
import { phraseOf, type Phrase } from './phrase.ts';
import type { MoneyMeaning, NumberMeaning, Reading } from './reading.ts';

/** Larger than any price and still exact as a JSON number. */
const MAX_INTEGER_DIGITS = 15;

/** One amount: money where a currency word in English or Arabic stands beside it, else a number. */
export function readNumber({ lexemes }: Phrase): NumberMeaning | MoneyMeaning | null {
  const end = lexemes && readEnd(lexemes);
  const value = end?.bound === null ? valueOf(end) : null;
  if (!end || value === null) return null;
  return { kind: end.quantity.currencyWord === null ? 'number' : 'money', value, ...end.quantity };
}

export function valueOf({ amount, negative }: End): string | null {
  const value = amount.kind === 'scaled' ? amount.value : amount.numeral.alone;
  return value && sizedText(negative ? negate(value) : value);
}

export function sizedText(value: Decimal): string | null {
  const text = decimalText(value);
  const integerDigits = text.replace('-', '').split('.')[0]?.length ?? 0;
  return integerDigits <= MAX_INTEGER_DIGITS ? text : null;
}

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The answer's own `currency` counts where the text names none, or a word that fits several. */
export function withSentCurrency(reading: Reading, sent: string | null): Reading {
  if (sent === null || !('currency' in reading)) return reading;
  if (reading.currency !== null || reading.unit !== null) return reading;
  return { ...reading, currency: currencyCode(sent), currencyWord: reading.currencyWord ?? sent };
}

/** An ISO 4217 code, or a currency word in English or Arabic. */
export function currencyCode(sent: string): string | null {
  const code = sent.trim().toUpperCase();
  if (CODES.has(code)) return code;
  const lexemes = sent.length <= 64 ? phraseOf(sent).lexemes : null;
  const only = lexemes?.length === 1 ? lexemes[0] : undefined;
  return only?.kind === 'currency' ? only.code : null;
}
