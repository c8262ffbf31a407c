import {
  decodeHtmlEntities,
  isBlank,
  withoutInvisible,
  withWesternDigits,
} from '../written-text.ts';
import { readEmailAddresses } from './email-addresses.ts';
import type { Payload } from './payload-schema.ts';
import { readPhoneNumbers } from './phone-numbers.ts';

export interface ContactPoint {
  kind: 'phone' | 'email';
  value: string;
}

/** An entry that is not a usable contact point, such as `N/A`, counts, but not a blank one. */
export function hasContactPoint({ leadPhones, leadEmails }: Payload): boolean {
  return [leadPhones, leadEmails]
    .flat()
    .some((entry) => typeof entry === 'string' && !isBlank(entry));
}

export function readContactPoints(text: string): ContactPoint[] {
  const { emails, rest } = readEmailAddresses(normalizeContactText(text));
  const phones = readPhoneNumbers(withWesternDigits(rest));
  return distinct([
    ...phones.map((value): ContactPoint => ({ kind: 'phone', value })),
    ...emails.map((value): ContactPoint => ({ kind: 'email', value })),
  ]);
}

const PLAIN = /^[^%&\x80-\uffff]*$/;
const PERCENT_ESCAPE = /%(0[9ad]|[2-7][\da-f])/gi;

export function normalizeContactText(text: string): string {
  if (PLAIN.test(text)) return text.trim().toLowerCase();
  const decoded = decodeHtmlEntities(withoutInvisible(text).normalize('NFKC')).replace(
    PERCENT_ESCAPE,
    (_escape, code: string) => String.fromCharCode(parseInt(code, 16)),
  );
  if (decoded !== text) return normalizeContactText(decoded);
  return decoded
    .trim()
    .toLowerCase()
    .replace(/i\u0307/g, 'i')
    .replace(/[‘’ʼ]/g, "'");
}

function distinct(contactPoints: readonly ContactPoint[]): ContactPoint[] {
  return [...new Map(contactPoints.map((point) => [contactPointKey(point), point])).values()];
}

/** As many as the lists of a request have entries: each takes a lock. */
const MAX_OF_REQUEST = 40;

export type ContactEntry = ReturnType<typeof readContactEntry>;

export const readContactEntry = (text: string) => ({ text, points: readContactPoints(text) });

/** Phones first, as in the search for a contact. Of too many, the first of each text stay. */
export function contactPointsOf(entries: readonly ContactEntry[]): ContactPoint[] {
  const read = entries.map(({ points }) => points);
  const byRank = read.flatMap((points) => points.map((point, rank) => ({ point, rank })));
  const ranked = byRank.sort((a, b) => a.rank - b.rank).map(({ point }) => point);
  const kept = new Set(distinct(ranked).slice(0, MAX_OF_REQUEST).map(contactPointKey));
  const all = distinct(read.flat()).filter((point) => kept.has(contactPointKey(point)));
  return [...all.filter(isPhone), ...all.filter((point) => !isPhone(point))];
}

const isPhone = ({ kind }: ContactPoint) => kind === 'phone';

export function contactPointKey(contactPoint: ContactPoint): string {
  return `${contactPoint.kind}:${contactPoint.value}`;
}

interface KnownEntries {
  entries: readonly string[];
  contactPoints: readonly ContactPoint[];
}

export const NOTHING_KNOWN: KnownEntries = { entries: [], contactPoints: [] };

export function newEntries(entries: readonly ContactEntry[], known: KnownEntries): string[] {
  const seen = new Set([
    ...known.contactPoints.map(contactPointKey),
    ...known.entries.map(readContactEntry).flatMap(entryKeys),
  ]);
  const added = entries.filter((entry) => {
    const keys = entryKeys(entry);
    const isNew = keys.some((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  });
  return added.map(({ text }) => text);
}

function entryKeys({ text, points }: ContactEntry): string[] {
  return points.length > 0 ? points.map(contactPointKey) : [`text:${normalizeContactText(text)}`];
}
