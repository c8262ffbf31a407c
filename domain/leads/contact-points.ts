import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { createHash } from 'node:crypto';

/** A phone or an e-mail in the one form in which it is compared. */
export interface ContactPoint {
  kind: 'phone' | 'email';
  value: string;
}

/** E.164 where it can be read, national numbers as UAE numbers; else the text as it came. */
export function normalisePhone(text: string): ContactPoint {
  const phone = parsePhoneNumberFromString(text, 'AE');
  if (!phone?.isPossible()) return { kind: 'phone', value: comparable(text) };
  return { kind: 'phone', value: phone.ext ? `${phone.number};ext=${phone.ext}` : phone.number };
}

export function normaliseEmail(text: string): ContactPoint {
  return { kind: 'email', value: comparable(text) };
}

/** Direction marks and the like come along unseen when Arabic text is copied. */
const INVISIBLE = /\p{Cf}/gu;

/** What shows nothing at all, and so would be the same as everyone's, stays as it came. */
function comparable(text: string): string {
  const shown = text.replace(INVISIBLE, '').trim();
  return (shown === '' ? text.trim() : shown).toLowerCase();
}

/** Every phone and e-mail of an enquiry. Phones first, in the order sent, then e-mails: the order in which a person is looked for. */
export function contactPointsOf(
  phones: readonly string[],
  emails: readonly string[],
): ContactPoint[] {
  return distinct([...phones.map(normalisePhone), ...emails.map(normaliseEmail)]);
}

export function contactPointKey(contactPoint: ContactPoint): string {
  return `${contactPoint.kind}:${contactPoint.value}`;
}

function distinct(contactPoints: readonly ContactPoint[]): ContactPoint[] {
  return [
    ...new Map(
      contactPoints.map((contactPoint) => [contactPointKey(contactPoint), contactPoint]),
    ).values(),
  ];
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
 * The advisory locks that stand for these keys, as signed 64-bit integers in ascending order: two
 * enquiries of one person take them in the same order, so neither can hold what the other waits for.
 */
export function lockNumbers(keys: readonly string[]): string[] {
  const numbers = keys.map((key) => createHash('sha256').update(key).digest().readBigInt64BE(0));
  return [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)).map(String);
}
