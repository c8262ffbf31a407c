import { InvalidArgumentError } from 'commander';

/** Readers of arguments and options; commander shows their text beside the option's name. */

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError('Expected a whole number of up to 9 digits.');
  return Number(text);
}

/** How many to show. */
export function atLeastOne(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('Expected at least 1.');
  return number;
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** How long ago: `30d`, `12h`, `90m`, `2w`; in milliseconds. */
export function ageMs(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text.trim()) ?? [];
  const unitMs = UNIT_MS[unit];
  if (amount === undefined || unitMs === undefined) {
    throw new InvalidArgumentError('Expected an age such as 30d, 12h or 90m.');
  }
  return Number(amount) * unitMs;
}

/** Null: back to what is configured. */
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

/** As it stands in forms and logs, so of plain characters. */
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
