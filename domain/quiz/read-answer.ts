import type { QuizAnswer } from './answer.ts';
import { readText } from './read-text.ts';
import { readingOf, type NumberMeaning, type Reading } from './reading.ts';
import { settleCurrency } from './sent-currency.ts';

/** A choice first and never flagged, else the value, else the label as a text. */
export function readAnswer(answer: QuizAnswer): Reading {
  if (!answer.readable) {
    return readingOf({ kind: 'unread', reason: 'entry_unreadable' }, 'none', answer.raw);
  }
  if (answer.optionKeys.length > 0) return readChoice(answer);
  if (answer.value !== null) return readValue(answer.value, answer.currency);
  if (answer.answerLabels.length > 0) return readLabels(answer.answerLabels);
  return readingOf({ kind: 'blank' }, 'blank', null);
}

function readChoice({ optionKeys, answerLabels }: QuizAnswer): Reading {
  const raw = optionKeys.length === 1 ? optionKeys[0] : optionKeys;
  return readingOf({ kind: 'choice', optionKeys, labels: answerLabels }, 'choice', raw);
}

function readLabels(labels: string[]): Reading {
  const raw = labels.length === 1 ? labels[0] : labels;
  return readingOf({ kind: 'text', text: labels.join(', ') }, 'label', raw);
}

/** `currency` is the answer's own field; a currency that the text itself names comes first. */
export function readValue(value: unknown, currency: string | null): Reading {
  switch (typeof value) {
    case 'string':
      return withCurrency(readText(value), currency);
    case 'number':
      return withCurrency(readJsonNumber(value), currency);
    case 'boolean':
      return readingOf({ kind: 'yes_no', value }, 'json_boolean', value);
    default:
      return readingOf({ kind: 'unread', reason: 'value_type' }, 'none', value);
  }
}

/** A number that JSON could not carry exactly is not certain. */
function readJsonNumber(value: number): Reading {
  const text = String(value === 0 ? 0 : value);
  const exact = Math.abs(value) <= Number.MAX_SAFE_INTEGER && !text.includes('e');
  if (!exact) return readingOf({ kind: 'unread', reason: 'not_understood' }, 'none', value);
  return readingOf(plainNumber(text), 'json_number', value);
}

function plainNumber(value: string): NumberMeaning {
  return {
    kind: 'number',
    value,
    unit: null,
    currency: null,
    currencyWord: null,
    approximate: false,
  };
}

function withCurrency(reading: Reading, sent: string | null): Reading {
  if (sent === null) return reading;
  if (reading.kind !== 'number' && reading.kind !== 'range' && reading.kind !== 'money') {
    return reading;
  }
  return settleCurrency(reading, sent);
}
