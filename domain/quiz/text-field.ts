import type { QuizAnswer } from './answer.ts';
import { currencyCodeOf } from './sent-currency.ts';

/** The texts that an answer gives to a field, the best first: its labels, its value, its option keys. */
export function textsForField(field: string, answer: QuizAnswer): string[] {
  const texts = sayings(answer).map((said) => said.join(', '));
  return [...new Set(field === 'currency' ? texts.map(asCurrency) : texts)];
}

/** For a field that holds a list: each label, value or key by itself. */
export function entriesForField(answer: QuizAnswer): string[] {
  return sayings(answer)[0] ?? [];
}

function sayings({ answerLabels, value, optionKeys }: QuizAnswer): string[][] {
  const valueTexts = typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  return [answerLabels, valueTexts, optionKeys].filter((texts) => texts.length > 0);
}

function asCurrency(text: string): string {
  return currencyCodeOf(text) ?? text;
}
