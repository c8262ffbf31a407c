import { isRecord } from '../canonical-json.ts';
import { cutText, isBlank, withoutInvisible } from '../written-text.ts';
import {
  NO_QUANTITY,
  readingOf,
  type Reading,
  type UnreadReason,
  type ValueMeaning,
} from './reading.ts';
import { withSentCurrency, readNumber, readRange } from './read-number-or-range.ts';
import { phraseOf, type Phrase } from './phrase.ts';
import { readDate, readNumericDate } from './read-date.ts';
import { readYesNo } from './read-yes-no.ts';

export type Quiz = ReturnType<typeof readQuiz>;

/** Takes any JSON, loses nothing of it and never throws (quiz block, rule 6). */
export function readQuiz(sent: unknown) {
  const block = isRecord(sent) ? sent : {};
  return {
    // The block as sent is stored elsewhere, so that a key of absurd length may be cut.
    quizKey: cutText(keyOf(block['quizKey']), KEY_LENGTH),
    quizName: textOf(block['quizName']),
    locale: textOf(block['locale']),
    version: textOf(block['version']),
    answers: [block['answers'] ?? []].flat().map(readEntry),
  };
}

export type ReadAnswer = ReturnType<typeof readEntry>;

function readEntry(raw: unknown, position: number) {
  const answer = toQuizAnswer(raw);
  return { ...answer, position, reading: readAnswer(answer) };
}

/** In characters. An answer with a longer key is stored and flagged. */
export const KEY_LENGTH = 255;

export type QuizAnswer = ReturnType<typeof toQuizAnswer>;

function toQuizAnswer(raw: unknown) {
  const entry = isRecord(raw) ? raw : {};
  const { value } = entry;
  const questionKey = keyOf(entry['questionKey']);
  const questionLabel = textOf(entry['questionLabel']) ?? textOf(entry['label']);
  const optionKeys = textsOf(entry['optionKey'], keyOf);
  return {
    questionKey,
    questionLabel,
    optionKeys: optionKeys.length > 0 ? optionKeys : textsOf(entry['optionKeys'], keyOf),
    answerLabels: textsOf(entry['answerLabel'], textOf),
    value: isBlank(value) ? null : (value ?? null),
    currency: textOf(entry['currency']),
    raw,
    readable: questionKey !== null || questionLabel !== null,
  };
}

/** `value: null` withdraws the earlier answer, unlike an entry without the field. */
export function isCleared(raw: unknown): boolean {
  const fields = ['optionKey', 'optionKeys', 'answerLabel', 'value'];
  return isRecord(raw) && fields.some((field) => raw[field] === null);
}

/** A number is the same key as its digits. Ignores invisible characters. */
export function keyOf(sent: unknown): string | null {
  const text = textOf(sent);
  return text && withoutInvisible(text).trim();
}

/** Keeps invisible characters within a text: some join the letters of a Persian name. */
function textOf(sent: unknown): string | null {
  if (typeof sent !== 'string' && typeof sent !== 'number') return null;
  const text = String(sent).trim();
  return isBlank(text) ? null : text;
}

function textsOf(sent: unknown, read: (each: unknown) => string | null): string[] {
  const texts = (Array.isArray(sent) ? sent : [sent]).map(read);
  return [...new Set(texts.filter((text) => text !== null))];
}

/** Option keys are never flagged. Without keys the value is read, without a value the labels as text. */
function readAnswer(answer: QuizAnswer): Reading {
  const { readable, optionKeys, value, answerLabels: labels, currency, raw } = answer;
  if (!readable) return unread('entry_unreadable', raw);
  if (optionKeys.length > 0)
    return readingOf({ kind: 'choice', optionKeys, labels }, 'choice', onlyOrAll(optionKeys));
  if (value !== null) return readValue(value, currency);
  if (labels.length === 0) return readingOf({ kind: 'blank' }, 'blank', null);
  return readingOf({ kind: 'text', text: labels.join(', ') }, 'label', onlyOrAll(labels));
}

function onlyOrAll(texts: string[]): unknown {
  return texts.length === 1 ? texts[0] : texts;
}

function unread(reason: UnreadReason, raw: unknown): Reading {
  return readingOf({ kind: 'unread', reason }, 'none', raw);
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
      return unread('value_type', value);
  }
}

function readJsonNumber(value: number): Reading {
  const text = String(value === 0 ? 0 : value);
  const exact = Math.abs(value) <= Number.MAX_SAFE_INTEGER && !text.includes('e');
  if (!exact) return unread('not_understood', value);
  return readingOf({ kind: 'number', value: text, ...NO_QUANTITY }, 'json_number', value);
}

export const MAX_TEXT_LENGTH = 250;

export function readText(text: string): Reading {
  if (text.length > MAX_TEXT_LENGTH) return unread('too_long', text);
  const read = readPhrase(phraseOf(text));
  return read === null ? unread('not_understood', text) : readingOf(read, read.kind, text);
}

/** The first rule that understands the whole text reads it. Digits that look like a date are not a number. */
export function readPhrase(phrase: Phrase): ValueMeaning | null {
  const date = readNumericDate(phrase.tokens);
  if (date !== undefined) return date;
  return readNumber(phrase) ?? readRange(phrase) ?? readDate(phrase) ?? readYesNo(phrase);
}
