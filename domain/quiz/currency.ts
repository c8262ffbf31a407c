import { phraseOf } from './phrase.ts';
import type { Reading } from './reading.ts';

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
