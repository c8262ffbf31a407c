import { createHmac } from 'node:crypto';
import { withWesternDigits, withoutInvisible } from '../written-text.ts';

export interface MobileNumber {
  /** The local form 05XXXXXXXX, also for the registry. */
  phone: string;
  e164: string;
}

export type NumberReading =
  { kind: 'mobile'; number: MobileNumber } | { kind: 'invalid'; error: string };

const MAX_INPUT_LENGTH = 64;

/** Any 5X number, since operators change and numbers are ported. */
const MOBILE = /^(?:\+971|00971|971|0)?(5\d{8})$/;

export function readNumber(input: string): NumberReading {
  if (input.length > MAX_INPUT_LENGTH) {
    return { kind: 'invalid', error: `Longer than ${MAX_INPUT_LENGTH} characters.` };
  }
  const digits = MOBILE.exec(withWesternDigits(withoutSeparators(input)))?.[1];
  if (digits === undefined) return { kind: 'invalid', error: 'Not a UAE mobile number.' };
  return { kind: 'mobile', number: { phone: `0${digits}`, e164: `+971${digits}` } };
}

export function localForm(input: string): string | null {
  const reading = readNumber(input);
  return reading.kind === 'mobile' ? reading.number.phone : null;
}

const SEPARATORS = /[\s\p{Zs}\p{Pd}\u2043\u2212]/gu;

export function withoutSeparators(text: string): string {
  return withoutInvisible(text).replace(SEPARATORS, '');
}

/** For the history of checks: only a caller who knows the number can find it. */
export function hashNumber(phone: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`dncr-number:${phone}`).digest();
}
