import { createHmac } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { readNumber } from '../dncr/number.ts';
import { withoutInvisible } from '../invisible-characters.ts';
import { contactPointKey, readContactPoints, type ContactPoint } from '../leads/contact-points.ts';

/** Whether a text can be meant as a phone or an e-mail: a name cannot, nor an id, whose letters and digits are one word. */
export function isPhoneOrEmail(text: string): boolean {
  const withoutExtension = text.replace(/ext\p{L}*|x/giu, ' ');
  const isPhone = /\p{Nd}/u.test(text) && !/\p{L}\p{Nd}|\p{Nd}\p{L}/u.test(withoutExtension);
  return text.includes('@') || isPhone;
}

/** Once each: phones first, then e-mails, each in alphabetical order. */
export function sortContactPoints(contactPoints: readonly ContactPoint[]): ContactPoint[] {
  const distinct = new Map(contactPoints.map((point) => [contactPointKey(point), point]));
  return [...distinct.values()].sort(
    (a, b) => b.kind.localeCompare(a.kind) || (a.value < b.value ? -1 : 1),
  );
}

export function includesPoint(points: readonly ContactPoint[], { kind, value }: ContactPoint) {
  return points.some((point) => point.kind === kind && point.value === value);
}

/** What a text that names this phone or e-mail contains, however it is written: digits, or the address. */
export function searchTextOf({ kind, value }: ContactPoint): string {
  if (kind === 'email') return value;
  const [number = value] = value.split(';');
  return parsePhoneNumberFromString(number)?.nationalNumber ?? digitsOf(number);
}

/** A text may name it: it holds its digits or its address, and perhaps more. */
export function holdsText(text: string, point: ContactPoint): boolean {
  const searched = searchTextOf(point);
  const within = point.kind === 'phone' ? digitsOf(text) : comparableText(text);
  return searched !== '' && within.includes(searched);
}

/** Arabic-Indic and Persian digits as well as Western ones. */
export function digitsOf(text: string): string {
  return [...text.normalize('NFKC').matchAll(/\p{Nd}/gu)]
    .map(([digit]) => digit.replace(/[٠-٩۰-۹]/u, (each) => String(each.charCodeAt(0) % 16)))
    .join('');
}

export function comparableText(text: string): string {
  return withoutInvisible(text).trim().toLowerCase();
}

/**
 * A text among the phones or e-mails without some of those that it names: undefined where it names none of them; else
 * what is left of it, one entry each.
 */
export function withoutPoints(
  text: string,
  removed: readonly ContactPoint[],
): ContactPoint[] | undefined {
  const read = readContactPoints(text);
  const left = read.filter((point) => !includesPoint(removed, point));
  return left.length < read.length ? left : undefined;
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
