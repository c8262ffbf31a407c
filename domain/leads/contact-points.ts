import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { createHash } from 'node:crypto';

/** A phone or an e-mail in its normalised form, in which it is compared. */
export interface ContactPoint {
  kind: 'phone' | 'email';
  value: string;
}

/** E.164 where the text can be read, national numbers as UAE numbers; else the text as sent. */
export function normalisePhone(text: string): ContactPoint {
  const phone = parsePhoneNumberFromString(text, 'AE');
  if (!phone?.isPossible()) return { kind: 'phone', value: comparable(text) };
  return { kind: 'phone', value: phone.ext ? `${phone.number};ext=${phone.ext}` : phone.number };
}

export function normaliseEmail(text: string): ContactPoint {
  return { kind: 'email', value: comparable(text) };
}

/** Copied Arabic text holds direction marks and other invisible characters. */
const INVISIBLE = /\p{Cf}/gu;

function comparable(text: string): string {
  return text.replace(INVISIBLE, '').trim().toLowerCase();
}

/** Phones first, in the order sent, then e-mails: the order in which a person is searched for. */
export function contactPointsOf(
  phones: readonly string[],
  emails: readonly string[],
): ContactPoint[] {
  const all = [...phones.map(normalisePhone), ...emails.map(normaliseEmail)];
  return [
    ...new Map(all.map((contactPoint) => [contactPointKey(contactPoint), contactPoint])).values(),
  ];
}

export function contactPointKey(contactPoint: ContactPoint): string {
  return `${contactPoint.kind}:${contactPoint.value}`;
}

/** The holder of a contact point: a contact, or a lead with an open merge window. */
export interface Held<T> {
  contactPoint: ContactPoint;
  holder: T;
}

/**
 * The holder of the first contact point that has one: all phones in the order sent, then all e-mails
 * (merge rule 1). `held` is in order of preference for one contact point.
 */
export function firstHolder<T>(
  contactPoints: readonly ContactPoint[],
  held: readonly Held<T>[],
): Held<T> | null {
  for (const contactPoint of contactPoints) {
    const key = contactPointKey(contactPoint);
    const found = held.find((candidate) => contactPointKey(candidate.contactPoint) === key);
    if (found) return found;
  }
  return null;
}

/** The entries whose contact point is not among the known ones, once each. */
export function newEntries(
  entries: readonly string[],
  toContactPoint: (text: string) => ContactPoint,
  known: Iterable<ContactPoint>,
): string[] {
  const seen = new Set([...known].map(contactPointKey));
  return entries.filter((entry) => {
    const key = contactPointKey(toContactPoint(entry));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * The advisory locks of these keys, as signed 64-bit integers in ascending order: two enquiries of one
 * person take them in the same order, so neither can hold a lock that the other waits for.
 */
export function lockNumbers(keys: readonly string[]): string[] {
  const numbers = keys.map((key) => createHash('sha256').update(key).digest().readBigInt64BE(0));
  return [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)).map(String);
}
