import { mapAnswersToFields, type MappedFields, type QuizField } from '../quiz/field-mapping.ts';
import { readQuiz, type Quiz } from '../quiz/answer.ts';
import { readAdPlatform, type AdPlatformBlock } from './ad-platform.ts';
import { contactPointsOf, type ContactPoint } from './contact-points.ts';
import { fields, fieldByName, type Field } from './fields.ts';
import { isBlank, type Payload, type SentComment } from './payload-schema.ts';

/** The value of a field without blanks: a text, texts, or null, by which an update clears the field. */
export type SentValue = string | string[] | null;

export interface SentQuiz {
  /** As sent. */
  block: Record<string, unknown>;
  read: Quiz;
  /** The lead's fields that the answers fill (quizFields). */
  fields: MappedFields;
}

/** The values of a create or update body, without what is blank. */
export interface Enquiry {
  /** Fields with a value; on an update also the ones that an explicit null clears. */
  values: ReadonlyMap<string, SentValue>;
  adPlatform: AdPlatformBlock | null;
  quiz: SentQuiz | null;
  comments: { first: SentComment[]; skipped: number } | null;
}

type RequestKind = 'create' | 'update';

/**
 * An empty string counts as omitted. Null counts as omitted on create and clears the field on update
 * (update rules 1 and 2).
 */
export function enquiryFrom(
  payload: Payload,
  kind: RequestKind,
  quizFields: readonly QuizField[],
): Enquiry {
  const values = new Map<string, SentValue>();
  for (const field of fields) {
    if (kind === 'update' && field.createOnly) continue;
    const value = sentValue(field, (payload as Record<string, unknown>)[field.name]);
    if (value === undefined || (value === null && kind === 'create')) continue;
    values.set(field.name, value);
  }
  return {
    values,
    adPlatform: readAdPlatform(payload.adPlatform),
    quiz: payload.quiz ? sentQuiz(payload.quiz, kind, quizFields) : null,
    comments: payload.comments ?? null,
  };
}

function sentValue(field: Field, sent: unknown): SentValue | undefined {
  if (sent === undefined) return undefined;
  if (sent === null) return field.match === 'contactPoint' ? undefined : null;
  if (Array.isArray(sent)) {
    const entries = (sent as string[]).filter((entry) => !isBlank(entry));
    return entries.length > 0 ? entries : undefined;
  }
  if (field.type === 'decimal') return decimalText(sent as string | number);
  const text = sent as string;
  return isBlank(text) ? undefined : text;
}

/** A sent amount as plain decimal text, never a binary float, or undefined where it is blank: ` 01,500.50 ` is 1500.50. */
export function decimalText(sent: string | number): string | undefined {
  const text = String(sent).trim().replace(/[,+]/g, '');
  // No exponent: 1e-7 is 0.0000001.
  if (text.includes('e'))
    return Number(sent)
      .toFixed(12)
      .replace(/\.?0+$/, '');
  return text === '' ? undefined : text.replace(/^0+(?=\d)/, '');
}

/** An update writes no create-only field, from a quiz answer either (update rule 7). */
function sentQuiz(
  block: Record<string, unknown>,
  kind: RequestKind,
  quizFields: readonly QuizField[],
): SentQuiz {
  const writable = quizFields.filter(
    ({ field }) => kind === 'create' || !fieldByName.get(field)?.createOnly,
  );
  const read = readQuiz(block);
  return { block, read, fields: mapAnswersToFields(read, writable) };
}

export function textOf(enquiry: Enquiry, name: string): string | null {
  const value = enquiry.values.get(name);
  return typeof value === 'string' ? value : null;
}

export function textsOf(enquiry: Enquiry, name: string): string[] {
  const value = enquiry.values.get(name);
  return Array.isArray(value) ? value : [];
}

/** The text sent for a field; where the field was not sent, the texts that a quiz answer has for it. */
export function sentTexts(enquiry: Enquiry, name: string): string[] {
  const sent = enquiry.values.get(name);
  if (sent !== undefined) return typeof sent === 'string' ? [sent] : [];
  return quizTexts(enquiry, name);
}

/** The texts that a quiz answer has for a field, the best first. */
export function quizTexts({ quiz }: Enquiry, name: string): string[] {
  const mapped = quiz?.fields.values.get(name);
  return typeof mapped === 'string' ? [mapped, ...(quiz?.fields.alternatives.get(name) ?? [])] : [];
}

export function sentText(enquiry: Enquiry, name: string): string | null {
  return sentTexts(enquiry, name)[0] ?? null;
}

/** The sender's phones and e-mails, phones first, in the form in which they are compared. */
export function contactPointsOfEnquiry(enquiry: Enquiry): ContactPoint[] {
  return contactPointsOf(textsOf(enquiry, 'leadPhones'), textsOf(enquiry, 'leadEmails'));
}
