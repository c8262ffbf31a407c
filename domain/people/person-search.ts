import { createHmac } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import leven from 'leven';
import { localForm } from '../dncr/number.ts';
import { withWesternDigits } from '../written-text.ts';
import {
  contactPointKey,
  normalizeContactText,
  readContactPoints,
  type ContactPoint,
} from '../leads/contact-points.ts';

/** The least that a phone number has with its area. Fewer are only a part of one. */
const FEWEST_DIGITS = 7;

/**
 * Whether a text may be a whole phone or an e-mail. A name is not, nor an id, whose letters and digits form one word.
 */
export function isPhoneOrEmail(text: string): boolean {
  const withoutExtension = text.replace(/ext\p{L}*|x/giu, ' ');
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  const isPhone = digits >= FEWEST_DIGITS && !/\p{L}\p{Nd}|\p{Nd}\p{L}/u.test(withoutExtension);
  return text.includes('@') || isPhone;
}

/** Sorts and deduplicates: phones first, then e-mails, each in alphabetical order. */
export function sortContactPoints(contactPoints: readonly ContactPoint[]): ContactPoint[] {
  const distinct = new Map(contactPoints.map((point) => [contactPointKey(point), point]));
  return [...distinct.values()].sort(
    (a, b) => b.kind.localeCompare(a.kind) || (a.value < b.value ? -1 : 1),
  );
}

export function includesPoint(points: readonly ContactPoint[], { kind, value }: ContactPoint) {
  return points.some((point) => point.kind === kind && point.value === value);
}

/** The text that any spelling of this phone or e-mail contains: national digits, or the address. */
export function searchTextOf({ kind, value }: ContactPoint): string {
  if (kind === 'email') return value;
  const [number = value] = value.split(';');
  return parsePhoneNumberFromString(number)?.nationalNumber ?? digitsOf(number);
}

/** Whether a text holds the digits or the address of a phone or e-mail, and perhaps more. */
export function holdsText(text: string, point: ContactPoint): boolean {
  const searched = searchTextOf(point);
  const within = point.kind === 'phone' ? digitsOf(text) : normalizeContactText(text);
  return searched !== '' && within.includes(searched);
}

/** All digits of a text, of any script, as Western ones. */
function digitsOf(text: string): string {
  return withWesternDigits(normalizeContactText(text)).replace(/[^0-9]/g, '');
}

/**
 * Removes some phones or e-mails from a text that may name several. Undefined if it names none of them. Otherwise returns
 * what is left, one entry each.
 */
export function withoutPoints(text: string, removed: readonly ContactPoint[]) {
  const read = readContactPoints(text);
  const left = read.filter((point) => !includesPoint(removed, point));
  return left.length < read.length ? left : undefined;
}

/** Hashes a phone or e-mail for a proof: whoever knows it can find it again, and nobody can read it. */
export function hashContactPoint(contactPoint: ContactPoint, key: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(`contact-point:${contactPointKey(contactPoint)}`)
    .digest();
}

/** The UAE mobile numbers among the contact points, in the form that DNCR checks keep. */
export function mobileNumbers(contactPoints: readonly ContactPoint[]): string[] {
  return contactPoints.flatMap(({ kind, value }) => (kind === 'phone' && localForm(value)) || []);
}

const SHORTEST_DIGITS = 5;
const SHORTEST_NAME = 4;
/** Numbers lie closer together than addresses. */
const MOST_EDITS = { phone: 1, email: 2 } as const;

/**
 * Lists the parts of which a near text contains one, in its digits or in its lower-case form: halves of a number or an
 * address, since if one half has a typing error, the other is right.
 */
export function nearQuery(asked: readonly ContactPoint[], text: string) {
  const query: Record<'digits' | 'words', string[]> = { digits: [], words: [] };
  for (const point of asked)
    query[point.kind === 'phone' ? 'digits' : 'words'].push(...halvesOf(searchTextOf(point)));
  if (asked.length > 0) return query;
  const digits = bareDigits(text);
  const words = normalizeContactText(text);
  if (digits.length >= SHORTEST_DIGITS) query.digits.push(digits);
  if (words !== '') query.words.push(words);
  return query;
}

function halvesOf(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  const name = text.includes('@') ? [text.slice(0, text.indexOf('@') + 1)] : [];
  return [text.slice(0, middle), text.slice(-middle), ...name];
}

/** How far a text is from what is searched for. 0 is the text itself, and null is not near. */
export function nearness(asked: readonly ContactPoint[], text: string, found: string) {
  if (asked.length === 0) return nearnessOfText(text, found);
  const distances = asked.map((point) =>
    point.kind === 'phone'
      ? nearnessOfNumber(searchTextOf(point), bareDigits(found))
      : nearnessOfAddress(point.value, normalizeContactText(found)),
  );
  const near = distances.filter((distance) => distance !== null);
  return near.length > 0 ? Math.min(...near) : null;
}

/** How far a text that is no phone or e-mail is from another. */
function nearnessOfText(text: string, found: string): number | null {
  const [asked, other] = [text, found].map(normalizeContactText) as [string, string];
  if (asked === other) return 0;
  const [digits, others] = [text, found].map(bareDigits) as [string, string];
  if (digits.length >= SHORTEST_DIGITS && others.includes(digits)) return 1;
  return asked.includes('@') && asked.length >= SHORTEST_NAME && other.includes(asked) ? 1 : null;
}

function nearnessOfNumber(asked: string, found: string): number | null {
  if (found.length < SHORTEST_DIGITS) return null;
  if (found.includes(asked) || asked.startsWith(found) || asked.endsWith(found)) return 1;
  return nearWithin(MOST_EDITS.phone, asked, found);
}

function nearnessOfAddress(asked: string, found: string): number | null {
  const nameEnd = asked.indexOf('@') + 1;
  if (nameEnd > SHORTEST_NAME && found.startsWith(asked.slice(0, nameEnd))) return 1;
  return found.includes(asked) ? 1 : nearWithin(MOST_EDITS.email, asked, found);
}

/** Two characters that are swapped are one edit. */
function nearWithin(most: number, asked: string, found: string): number | null {
  const edits = leven(asked, found, { maxDistance: 3 });
  const isSwap = edits === 2 && sorted(asked) === sorted(found);
  if (isSwap) return 1;
  return edits <= most ? edits : null;
}

const sorted = (text: string) => [...text].sort().join('');

/** The digits after the prefixes of a national number: 00, the code of the UAE, a 0. */
function bareDigits(text: string): string {
  return digitsOf(text).replace(/^(?:00)?(?:971)?0?/, '');
}
