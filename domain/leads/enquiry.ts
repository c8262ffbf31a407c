import { readQuiz } from '../quiz/answer.ts';
import { mapAnswersToFields, type QuizField } from '../quiz/field-mapping.ts';
import { storedQuizKey } from '../quiz/quiz-plan.ts';
import { isUuid } from '../uuid.ts';
import { isBlank, plainText } from '../written-text.ts';
import { type AdPlatformBlock, campaignKey, readAdPlatform } from './ad-platform.ts';
import { readAmount } from './amount.ts';
import type { SentComments } from './comments.ts';
import {
  type ContactEntry,
  type ContactPoint,
  contactPointsOf,
  readContactEntry,
} from './contact-points.ts';
import { type Field, fieldByName, fields } from './fields.ts';
import type { Payload } from './payload-schema.ts';

/** Null clears the field on update. */
export type SentValue = string | string[] | null;

export type SentQuiz = ReturnType<typeof sentQuiz>;

interface Sent {
  values: ReadonlyMap<string, SentValue>;
  adPlatform: AdPlatformBlock | null;
  quiz: SentQuiz | null;
  comments: SentComments | null;
}

export interface Enquiry extends Sent {
  phones: readonly ContactEntry[];
  emails: readonly ContactEntry[];
  contactPoints: readonly ContactPoint[];
  keys: LookupKeys;
}

export function buildEnquiry(sent: Sent): Enquiry {
  const phones = textsOf(sent, 'leadPhones').map(readContactEntry);
  const emails = textsOf(sent, 'leadEmails').map(readContactEntry);
  const contactPoints = contactPointsOf([...phones, ...emails]);
  return { ...sent, phones, emails, contactPoints, keys: lookupKeys(sent) };
}

type RequestKind = 'create' | 'update';

/** Null and empty strings count as omitted, but null clears the field on update (update rules 1 and 2). */
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
  const currency = currencyOf(payload, values);
  if (currency !== null && !values.has('currency')) values.set('currency', currency);
  return buildEnquiry({
    values,
    adPlatform: readAdPlatform(payload.adPlatform),
    quiz: payload.quiz ? sentQuiz(payload.quiz, kind, quizFields) : null,
    comments: Array.isArray(payload.comments) ? payload.comments : null,
  });
}

/** Also reads a stored body, which is not validated again. */
function sentValue(field: Field, sent: unknown): SentValue | undefined {
  if (sent === null) return field.match === 'contactPoint' ? undefined : null;
  if (field.type === 'texts') {
    const texts = Array.isArray(sent) ? sent.filter((each) => typeof each === 'string') : [];
    const entries = texts.filter((text) => !isBlank(text));
    return entries.length > 0 ? entries : undefined;
  }
  if (field.type === 'decimal') return readAmount(sent, field.name)?.value;
  return typeof sent === 'string' && !isBlank(sent) ? sent : undefined;
}

function currencyOf(payload: Payload, values: Sent['values']): string | null {
  const budget = ['budgetMin', 'budgetMax'].filter((name) => values.has(name));
  const [currency = null, another] = new Set(
    budget.flatMap((name) => readAmount(payload[name], name)?.currency ?? []),
  );
  return another === undefined ? currency : null;
}

/** An update writes no create-only field (update rule 7). */
function sentQuiz(
  block: Record<string, unknown>,
  kind: RequestKind,
  quizFields: readonly QuizField[],
) {
  const writable = quizFields.filter(
    ({ field }) => kind === 'create' || !fieldByName.get(field)?.createOnly,
  );
  const read = readQuiz(block);
  return { block, read, fields: mapAnswersToFields(read, writable) };
}

export function textOf(enquiry: Sent, name: string): string | null {
  const value = enquiry.values.get(name);
  return typeof value === 'string' ? value : null;
}

function textsOf(enquiry: Sent, name: string): string[] {
  const value = enquiry.values.get(name);
  return Array.isArray(value) ? value : [];
}

export function sentTexts(enquiry: Sent, name: string): string[] {
  const sent = enquiry.values.get(name);
  if (sent !== undefined) return typeof sent === 'string' ? [sent] : [];
  return quizTexts(enquiry, name);
}

export function quizTexts({ quiz }: Sent, name: string): string[] {
  const mapped = quiz?.fields.values.get(name);
  return typeof mapped === 'string' ? [mapped, ...(quiz?.fields.alternatives.get(name) ?? [])] : [];
}

export function sentText(enquiry: Sent, name: string): string | null {
  return sentTexts(enquiry, name)[0] ?? null;
}

export type LookupKeys = ReturnType<typeof lookupKeys>;

function lookupKeys(enquiry: Sent) {
  const listing = namedListing(enquiry);
  const text = listing && plainText(listing.text);
  const isId = listing?.field === 'listingId';
  const campaign = campaignKey(enquiry.adPlatform, sentText(enquiry, 'advertisingCampaign'));
  return {
    listingId: isId && text !== null && isUuid(text) ? text.toLowerCase() : null,
    /** The database compares it without case. */
    referenceNo: isId ? null : text,
    platformCampaignId: campaign?.platformCampaignId ?? null,
    campaignNameKey: campaign?.nameKey ?? null,
    blockIdentity: enquiry.adPlatform?.identity ?? null,
    quizKey: enquiry.quiz && storedQuizKey(enquiry.quiz.read.quizKey),
  };
}

export const LISTING_NAMES = ['listingId', 'referenceNo'] as const;

/** listingId wins over referenceNo, a sent field over a quiz answer. */
export function namedListing(enquiry: Sent): { field: string; text: string } | null {
  const sent = LISTING_NAMES.filter((name) => enquiry.values.has(name));
  for (const field of sent.length > 0 ? sent : LISTING_NAMES) {
    const text = sentText(enquiry, field);
    if (text !== null) return { field, text };
  }
  return null;
}
