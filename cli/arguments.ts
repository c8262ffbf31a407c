import { InvalidArgumentError } from 'commander';
import { instantOf } from '../domain/routing/local-time.ts';

function matching(pattern: RegExp, expected: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(expected);
  };
}

const digits = matching(/^\d{1,9}$/, 'Expected a whole number of up to 9 digits.');

export function wholeNumber(text: string): number {
  return Number(digits(text));
}

export function atLeastOne(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('Expected at least 1.');
  return number;
}

export function upTo53(text: string): number {
  const number = atLeastOne(text);
  if (number > 53) throw new InvalidArgumentError('Expected at most 53.');
  return number;
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function parseAge(text: string): number | null {
  const [, amount, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  const unitMs = UNIT_MS[unit];
  return amount === undefined || unitMs === undefined ? null : Number(amount) * unitMs;
}

/** Such as `30d`, `12h`, `90m` or `2w`. */
export function ageMs(text: string): number {
  const age = parseAge(text);
  if (age === null) throw new InvalidArgumentError('Expected an age such as 30d, 12h or 90m.');
  return age;
}

/** A time without an offset is in the company's time zone. */
export type Since = (now: Date, timeZone: string) => Date;

/** `Date.parse` reads `12` as a month, although 12 hours were meant. */
const TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

export function since(text: string): Since {
  const age = parseAge(text);
  if (age !== null) return (now) => new Date(now.getTime() - age);
  const offset = TIME.exec(text)?.[4];
  const at =
    TIME.test(text) && isDay(text.slice(0, 10)) ? Date.parse(offset ? text : asUtc(text)) : NaN;
  if (!Number.isNaN(at)) return (_, timeZone) => new Date(offset ? at : instantOf(at, timeZone));
  throw new InvalidArgumentError(
    'This is no time: say 30m, 12h, 7d, 2026-11-01, or 2026-11-01T08:00.',
  );
}

/** `Date.parse` reads 30 February as a day of March. */
function isDay(date: string): boolean {
  const ms = Date.parse(date);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** `Date.parse` reads a date as UTC, and a time without an offset in the time zone of this machine. */
const asUtc = (text: string) => (/[T ]/i.test(text) ? `${text}Z` : text);

/** Commander treats null from a parser as an empty string. */
export function capOrNone(text: string): number | 'none' {
  return text === 'none' ? text : wholeNumber(text);
}

export function quotaOrDefault(text: string): number | null {
  return text === 'default' ? null : wholeNumber(text);
}

const name = matching(/^[^]{1,255}$/, 'Expected a name of 1 to 255 characters.');

export function clientName(text: string): string {
  return name(text.trim());
}

/** Plain characters only: the id appears in forms and logs. */
export const publicId = matching(
  /^[A-Za-z0-9._-]{1,128}$/,
  'Expected 1 to 128 letters, digits, dots, dashes or underscores.',
);

const scopeList = matching(
  /^([\x21\x23-\x5b\x5d-\x7e]+( |$))*$/,
  'Expected scopes such as leads:all, with spaces between them.',
);

/** Scopes with one space between them (RFC 6749, 3.3). */
export function scopes(text: string): string {
  return scopeList(text.split(/\s+/).filter(Boolean).join(' '));
}
