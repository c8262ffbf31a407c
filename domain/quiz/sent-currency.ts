import { phraseOf } from './phrase.ts';
import type { Reading } from './reading.ts';

type WithCurrency = Extract<Reading, { kind: 'number' | 'range' | 'money' }>;

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The answer's own `currency` speaks where the text names none, or one of several by the same word. */
export function settleCurrency(reading: WithCurrency, sent: string): WithCurrency {
  if (reading.currency !== null || reading.unit !== null) return reading;
  return {
    ...reading,
    currency: currencyCodeOf(sent),
    currencyWord: reading.currencyWord ?? sent,
  };
}

/** An ISO 4217 code, or a currency word in English or Arabic. */
export function currencyCodeOf(sent: string): string | null {
  const code = sent.trim().toUpperCase();
  if (CODES.has(code)) return code;
  const lexemes = sent.length <= 64 ? phraseOf(sent).lexemes : null;
  const only = lexemes?.length === 1 ? lexemes[0] : undefined;
  return only?.kind === 'currency' ? only.code : null;
}
