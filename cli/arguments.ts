import { InvalidArgumentError } from 'commander';
import { isUuid } from '../domain/uuid.ts';
import { OperatorError } from './operator.ts';

/** Parsers of arguments and options; commander shows their errors next to the option's name. */

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError('Expected a whole number of up to 9 digits.');
  return Number(text);
}

export function atLeastOne(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('Expected at least 1.');
  return number;
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Null for a text that is no age. */
function parseAge(text: string): number | null {
  const [, amount, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  const unitMs = UNIT_MS[unit];
  return amount === undefined || unitMs === undefined ? null : Number(amount) * unitMs;
}

/** How long ago: `30d`, `12h`, `90m`, `2w`; in milliseconds. */
export function ageMs(text: string): number {
  const age = parseAge(text);
  if (age === null) throw new InvalidArgumentError('Expected an age such as 30d, 12h or 90m.');
  return age;
}

/** The time that `--since` means for a command that runs at `now`. */
export type Since = (now: Date) => Date;

/** `Date.parse` alone takes a bare number for a month: `12` meant as hours would reach back for years. */
const TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

/** An age, counted back from now, or a time. */
export function since(text: string): Since {
  const age = parseAge(text);
  if (age !== null) return (now) => new Date(now.getTime() - age);
  const at = TIME.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(at)) return () => new Date(at);
  throw new InvalidArgumentError('This is no time: say 30m, 12h, 7d, or 2026-11-01T08:00Z.');
}

/** Checked by the command itself, so that its error is one sentence without the help. */
export function parseUuid(text: string, what: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new OperatorError(`${text} is not the id of ${what}: it is no uuid.`);
}

/** Null: the configured quota. */
export function quotaOrDefault(text: string): number | null {
  return text === 'default' ? null : wholeNumber(text);
}

const MAX_NAME = 255;

export function clientName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME) {
    throw new InvalidArgumentError(`Expected a name of 1 to ${MAX_NAME} characters.`);
  }
  return name;
}

/** Plain characters only: the id appears in forms and logs. */
export function publicId(text: string): string {
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(text)) {
    throw new InvalidArgumentError(
      'Expected 1 to 128 letters, digits, dots, dashes or underscores.',
    );
  }
  return text;
}

/** Scopes with one space between them (RFC 6749, 3.3). */
export function scopes(text: string): string {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word))) return words.join(' ');
  throw new InvalidArgumentError('Expected scopes such as leads:all, with spaces between them.');
}
