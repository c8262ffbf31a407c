import { readValue, type QuizAnswer } from './answer.ts';
import type { ReadAnswer } from './quiz.ts';
import type { MoneyMeaning, NumberMeaning, RangeMeaning, Reading } from './reading.ts';

export type Budget = {
  readonly budgetMin: string | null;
  readonly budgetMax: string | null;
  /** ISO 4217, where the answer names one. */
  readonly currency: string | null;
};

type Amount = NumberMeaning | RangeMeaning | MoneyMeaning;

/** Both ends of a range, or the maximum from one number. Null when the answer is no amount of money. */
export function budgetOf(answer: ReadAnswer): Budget | null {
  const amount = amountOf(answer);
  if (amount === null) return null;
  const { currency } = amount;
  if (amount.kind === 'range') return { budgetMin: amount.min, budgetMax: amount.max, currency };
  const negative = amount.value.startsWith('-');
  return negative ? null : { budgetMin: null, budgetMax: amount.value, currency };
}

/** For a question about one bound alone: that end of a range, or the number itself. */
export function budgetBound(answer: ReadAnswer, bound: 'min' | 'max'): string | null {
  const amount = amountOf(answer);
  if (amount === null) return null;
  if (amount.kind === 'range') return amount[bound];
  return amount.value.startsWith('-') ? null : amount.value;
}

/**
 * A choice has its amount in its value or its label (`AED 1-2 million`), of which a range wins. Option
 * keys are opaque: the third option is no budget of 3.
 */
function amountOf(answer: ReadAnswer): Amount | null {
  const { reading } = answer;
  if (reading.kind !== 'choice' && reading.kind !== 'text') return asAmount(reading);
  const amounts = textsOf(answer)
    .map((text) => asAmount(readValue(text, answer.currency)))
    .filter((amount) => amount !== null);
  return amounts.find((amount) => amount.kind === 'range') ?? amounts[0] ?? null;
}

function textsOf({ value, answerLabels }: QuizAnswer): unknown[] {
  return answerLabels.length === 1 ? [value, answerLabels[0]] : [value];
}

/** Three bedrooms are no budget. */
function asAmount(reading: Reading): Amount | null {
  switch (reading.kind) {
    case 'number':
    case 'range':
    case 'money':
      return reading.unit === null ? reading : null;
    default:
      return null;
  }
}
