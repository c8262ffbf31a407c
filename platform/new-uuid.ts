import { randomUUID } from 'node:crypto';

const QUARTER_HOUR_MS = 15 * 60_000;

/**
 * Begins with three digits of the quarter of an hour, so that new rows lie side by side in every index on an
 * id. The digits after them are random, so that eight name a record even in a busy minute.
 */
export function newUuid(now: Date): string {
  const quarter = Math.floor(now.getTime() / QUARTER_HOUR_MS) % 0x1000;
  return `${quarter.toString(16).padStart(3, '0')}${randomUUID().slice(3)}`;
}
