import { withSentCurrency, readNumber } from './read-number.ts';
import { NO_QUANTITY, readingOf, type Reading, type ValueMeaning } from './reading.ts';
import { phraseOf, type Phrase } from './phrase.ts';
import { readDate } from './read-date.ts';
import { readRange } from './read-range.ts';
import { readYesNo } from './read-yes-no.ts';

/** In characters. A longer key is no identity; its answer is kept and flagged. */
export const KEY_LENGTH = 255;

/** One entry of `quiz.answers`, in either published spelling, kept whole in `raw`. */
export type QuizAnswer = {
  readonly questionKey: string | null;
  readonly questionLabel: string | null;
  readonly optionKeys: string[];
  readonly answerLabels: string[];
  /** As sent; null when absent, null or blank. */
  readonly value: unknown;
  readonly currency: string | null;
  readonly raw: unknown;
  /** False when the entry is no object, or names its question neither by key nor by label. */
  readonly readable: boolean;
};

type Entry = Readonly<Record<string, unknown>>;

/** Takes any JSON at all and never throws (specification, quiz block, rule 6). */
export function toQuizAnswer(raw: unknown): QuizAnswer {
  const entry = isEntry(raw) ? raw : {};
  const questionKey = textOf(entry['questionKey']);
  const questionLabel = textOf(entry['questionLabel']) ?? textOf(entry['label']);
  return {
    questionKey,
    questionLabel,
    optionKeys: firstFilled(entry['optionKey'], entry['optionKeys']),
    answerLabels: textsOf(entry['answerLabel']),
    value: isBlank(entry['value']) ? null : entry['value'],
    currency: textOf(entry['currency']),
    raw,
    readable: questionKey !== null || questionLabel !== null,
  };
}

/** `value: null` withdraws the earlier answer; an entry without the field does not. */
export function isCleared(raw: unknown): boolean {
  const fields = ['optionKey', 'optionKeys', 'answerLabel', 'value'];
  return isEntry(raw) && fields.some((field) => raw[field] === null);
}

export function isEntry(raw: unknown): raw is Entry {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** A key sent as a number is the same key as its digits. */
export function textOf(sent: unknown): string | null {
  if (typeof sent !== 'string' && typeof sent !== 'number') return null;
  const text = String(sent).trim();
  return text === '' ? null : text;
}

function textsOf(sent: unknown): string[] {
  const texts = (Array.isArray(sent) ? sent : [sent]).map(textOf);
  return [...new Set(texts.filter((text) => text !== null))];
}

function firstFilled(...sent: unknown[]): string[] {
  return sent.map(textsOf).find((texts) => texts.length > 0) ?? [];
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
  );
}

/** Reads the option keys, which are never flagged, else the value, else the labels as a text. */
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

export function readValue(value: unknown, currency: string | null): Reading {
  switch (typeof value) {
    case 'string':
      return withSentCurrency(readText(value), currency);
    case 'number':
      return withSentCurrency(readJsonNumber(value), currency);
    case 'boolean':
      return readingOf({ kind: 'yes_no', value }, 'json_boolean', value);
    default:
      return readingOf({ kind: 'unread', reason: 'value_type' }, 'none', value);
  }
}

/** A number that JSON cannot carry exactly is not read. */
function readJsonNumber(value: number): Reading {
  const text = String(value === 0 ? 0 : value);
  const exact = Math.abs(value) <= Number.MAX_SAFE_INTEGER && !text.includes('e');
  if (!exact) return readingOf({ kind: 'unread', reason: 'not_understood' }, 'none', value);
  return readingOf({ kind: 'number', value: text, ...NO_QUANTITY }, 'json_number', value);
}

/** A longer text is stored and not read. */
export const MAX_TEXT_LENGTH = 250;

/** In the specification's order; the first rule that understands the whole text reads it. */
const RULES: readonly ((phrase: Phrase) => ValueMeaning | null)[] = [
  readNumber,
  readRange,
  readDate,
  readYesNo,
];

export function readText(text: string): Reading {
  if (text.length > MAX_TEXT_LENGTH) {
    return readingOf({ kind: 'unread', reason: 'too_long' }, 'none', text);
  }
  const read = readPhrase(phraseOf(text));
  if (read !== null) return readingOf(read, read.kind, text);
  return readingOf({ kind: 'unread', reason: 'not_understood' }, 'none', text);
}

export function readPhrase(phrase: Phrase): ValueMeaning | null {
  for (const read of RULES) {
    const meaning = read(phrase);
    if (meaning !== null) return meaning;
  }
  return null;
}
