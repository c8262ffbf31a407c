import { InvalidArgumentError } from 'commander';

/** Readers of arguments and options; commander shows their text beside the option's name. */

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
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
