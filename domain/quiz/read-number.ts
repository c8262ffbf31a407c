import { decimalText, negate, type Decimal } from './decimal.ts';
import { readEnd, type End, type Surroundings } from './end.ts';
import type { Phrase } from './phrase.ts';
import type { NumberMeaning, Quantity } from './reading.ts';

/** Larger than any price and still exact as a JSON number. */
const MAX_INTEGER_DIGITS = 15;

/** One amount, with or without a unit, and no currency word. */
export function readNumber({ lexemes }: Phrase): NumberMeaning | null {
  const end = lexemes && readEnd(lexemes);
  if (!end || end.surroundings.bound !== null || end.surroundings.currency !== null) return null;
  const value = valueOf(end);
  return value === null ? null : { kind: 'number', value, ...quantityOf(end.surroundings) };
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

export function quantityOf({ currency, unit, approximate }: Surroundings): Quantity {
  return {
    unit,
    currency: currency?.code ?? null,
    currencyWord: currency?.word ?? null,
    approximate,
  };
}
