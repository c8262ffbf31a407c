import { decimalText, negate, type Decimal } from './decimal.ts';
import { readEnd, type End, type Surroundings } from './end.ts';
import type { Phrase } from './phrase.ts';
import type { MoneyMeaning, NumberMeaning, Quantity } from './reading.ts';

/** Larger than any price and still exact as a JSON number. */
const MAX_INTEGER_DIGITS = 15;

/** One amount: money where a currency word in English or Arabic stands beside it, else a number. */
export function readNumber({ lexemes }: Phrase): NumberMeaning | MoneyMeaning | null {
  const end = lexemes && readEnd(lexemes);
  if (!end || end.surroundings.bound !== null) return null;
  const value = valueOf(end);
  const kind = end.surroundings.currency === null ? 'number' : 'money';
  return value === null ? null : { kind, value, ...quantityOf(end.surroundings) };
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
