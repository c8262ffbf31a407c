import { randomUUID } from 'node:crypto';

const QUARTER_HOUR_MS = 15 * 60_000;

/**
 * Begins with three digits of the quarter-hour, so that new rows are adjacent in every index. The next digits are
 * random, so that eight digits identify a record even in a busy minute.
 */
export function newUuid(now: Date): string {
  const quarter = Math.floor(now.getTime() / QUARTER_HOUR_MS) % 0x1000;
  return `${quarter.toString(16).padStart(3, '0')}${randomUUID().slice(3)}`;
}
