import { createHmac } from 'node:crypto';
import { readNumber } from '../dncr/number.ts';
import { contactPointKey, readContactPoints, type ContactPoint } from '../leads/contact-points.ts';

/** What a text names: a phone in any form, or an e-mail. */
export function readContactPoint(text: string): ContactPoint {
  const trimmed = text.trim();
  const [first] = readContactPoints(trimmed);
  return first ?? { kind: trimmed.includes('@') ? 'email' : 'phone', value: trimmed.toLowerCase() };
}

/** Whether a text can be meant as a phone or an e-mail: a name cannot, nor an id, whose letters and digits are one word. */
export function isPhoneOrEmail(text: string): boolean {
  const withoutExtension = text.replace(/ext\p{L}*|x/giu, ' ');
  const isPhone = /\p{Nd}/u.test(text) && !/\p{L}\p{Nd}|\p{Nd}\p{L}/u.test(withoutExtension);
  return text.includes('@') || isPhone;
}

/** As a proof keeps it: found again by someone who knows the phone or e-mail, unreadable otherwise. */
export function hashContactPoint(contactPoint: ContactPoint, key: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(`contact-point:${contactPointKey(contactPoint)}`)
    .digest();
}

/** The UAE mobile numbers among them, in the form in which DNCR checks keep them. */
export function mobileNumbers(contactPoints: readonly ContactPoint[]): string[] {
  const readings = contactPoints.map(({ kind, value }) => kind === 'phone' && readNumber(value));
  return readings.flatMap((reading) =>
    reading && reading.kind === 'mobile' ? [reading.number.phone] : [],
  );
}
