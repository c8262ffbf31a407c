import { createHmac } from 'node:crypto';

/** How a number stands in the record of checks: it can be looked up by who knows it, and not be read. */
export function hashNumber(phone: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`dncr-number:${phone}`).digest();
}
