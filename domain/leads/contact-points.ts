import { isBlank, withoutInvisible, withWesternDigits } from '../written-text.ts';
import type { Payload } from './payload-schema.ts';
import { readPhoneNumbers } from './phone-numbers.ts';

/** A phone or an e-mail in its normalised form, in which it is compared. */
export interface ContactPoint {
  kind: 'phone' | 'email';
  value: string;
}

/** A create needs a phone or an e-mail. One that names nobody, such as `N/A`, counts; a blank one does not. */
export function hasContactPoint({ leadPhones, leadEmails }: Payload): boolean {
  return [leadPhones, leadEmails]
    .flat()
    .some((entry) => typeof entry === 'string' && !isBlank(entry));
}

/** Reads each number and each address in a text. Empty where it names nobody, as `N/A` does. */
export function readContactPoints(text: string): ContactPoint[] {
  const written = withoutInvisible(text).normalize('NFKC').toLowerCase();
  const typed = written
    .replace(SPACED_AT, '@')
    .replace(SPACED_DOT, '.$1')
    .replace(WHATSAPP_ID, '+$1 ');
  const words = wordsOf(typed);
  const emails = words.flatMap(({ word, before }) =>
    isCut(before) ? [] : (readEmail(word) ?? []),
  );
  const others = typed.replace(WORD, (word) => (hasAddressForm(word) ? ';' : word));
  const phones = readPhoneNumbers(withWesternDigits(others).replace(TATWEEL_AS_DASH, '-'));
  return distinct([
    ...phones.map((value): ContactPoint => ({ kind: 'phone', value })),
    ...emails.map((value): ContactPoint => ({ kind: 'email', value })),
  ]);
}

/** The dash of an Arabic keyboard between digits: `٠٥٠ـ١٢٣٤٥٦٧`. */
const TATWEEL_AS_DASH = /(?<=\d\s?)\u0640+(?=\s?\d)/g;

/** An `@` with blanks beside it, between a name and a domain. */
const SPACED_AT = /(?<!@[^\s@]*)(?<=\p{L}[^\s@]*)[\p{Zs}\t]*@[\p{Zs}\t]*(?=[^\s@]+\.\p{L}{2})/gu;

/** A dot with blanks beside it, between a domain that has no other and the end that most addresses have. */
const SPACED_DOT = /(?<=@[^\s@.,;:/]+)(?: \.|\. | \. )(com|net|org|ae)(?![^\s,;:/)\]>])/g;

/**
 * The phone as which WhatsApp knows somebody. The number of a device behind it is no name of an address, which strangers
 * would share: `971501234567:12@s.whatsapp.net`.
 */
const WHATSAPP_ID =
  /(?<![^\s,;:<>()[\]{}"|?/\\])\+?([1-9]\d{7,14})(?:[.:_]\d{1,5}){0,2}@(?:c\.us|s\.whatsapp\.net)(?![\w.-])/g;

/** A word: no blanks, and none of the signs around an address, such as brackets or those of `mailto:`. */
const WORD = /[^\s,;:<>()[\]{}"|?/\\،؛、]+/g;

interface Word {
  word: string;
  /** The word before it, where only blanks stand between, or only signs that may be part of a name. */
  before: string;
}

function wordsOf(text: string): Word[] {
  let [end, last] = [0, ''];
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => {
    const before = /^(?:[\p{Zs}\t]*|[,/:\\]+)$/u.test(text.slice(end, index)) ? last : '';
    [end, last] = [index + word.length, word];
    return { word, before };
  });
}

/** Whether an address behind this word may lack its beginning, as `smith@mail.example` in `layla smith@mail.example`. */
function isCut(before: string): boolean {
  return /\p{L}/u.test(before) && !hasAddressForm(before) && !NO_PART_OF_NAME.has(before);
}

const NO_PART_OF_NAME = new Set([
  'or',
  'and',
  'و',
  'أو',
  'او',
  'mailto',
  'mail',
  'email',
  'e-mail',
  'إيميل',
  'ايميل',
  'البريد',
  'الإلكتروني',
  'ایمیل',
  'ईमेल',
  'почта',
  '邮箱',
]);

/** Whether a word has the form of an address: its digits belong to no phone, even where its domain has no dot. */
function hasAddressForm(word: string): boolean {
  return /^[^@]+@+[^@]/.test(word);
}

/** Signs that touch an address: quotes, bullets and emoji before it, any behind it. */
const SIGNS_BEFORE = /^(?:['`*]|[^\p{L}\p{M}\p{N}\p{ASCII}])+/u;
const SIGNS_AFTER = /[^\p{L}\p{M}\p{N}]+$/u;

/** An address has one `@` and a domain with a dot. */
function readEmail(word: string): string | null {
  const address = word.replace(SIGNS_BEFORE, '').replace(SIGNS_AFTER, '');
  return /^[^@]+@[^@.][^@]*\.[^@.]+$/.test(address) ? address : null;
}

function distinct(contactPoints: readonly ContactPoint[]): ContactPoint[] {
  return [...new Map(contactPoints.map((point) => [contactPointKey(point), point])).values()];
}

/** The most contact points of a request, as many as its lists have entries: each takes a lock. */
const MAX_OF_REQUEST = 40;

/**
 * The contact points of these texts: phones first, in the order sent, then e-mails, which is the order in which a person
 * is searched for. At most forty; the first of each text are kept before the second ones.
 */
export function contactPointsOf(
  phones: readonly string[],
  emails: readonly string[],
): ContactPoint[] {
  const read = [...phones, ...emails].map(readContactPoints);
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

/** Lists the entries that add something, once each: a number, an address, or a new text that names nobody. */
export function newEntries(entries: readonly string[], known: KnownEntries): string[] {
  const seen = new Set([
    ...known.contactPoints.map(contactPointKey),
    ...known.entries.flatMap(entryKeys),
  ]);
  return entries.filter((entry) => {
    const keys = entryKeys(entry);
    const isNew = keys.some((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  });
}

function entryKeys(entry: string): string[] {
  const keys = readContactPoints(entry).map(contactPointKey);
  return keys.length > 0 ? keys : [`text:${withoutInvisible(entry).trim().toLowerCase()}`];
}
