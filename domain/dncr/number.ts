import { createHmac } from 'node:crypto';
import { withWesternDigits, withoutInvisible } from '../written-text.ts';

export interface MobileNumber {
  /** The local form 05XXXXXXXX, in which the registry is asked too. */
  phone: string;
  e164: string;
}

export type NumberReading =
  { kind: 'mobile'; number: MobileNumber } | { kind: 'invalid'; error: string };

const MAX_INPUT_LENGTH = 64;

/** Prefixes move and numbers are ported, so every well-formed 5X number is valid, whatever its operator. */
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

/** Spaces, dashes and minus signs of any kind, which a number copied from a document may hold. */
const SEPARATORS = /[\s\p{Zs}\p{Pd}\u2043\u2212]/gu;

export function withoutSeparators(text: string): string {
  return withoutInvisible(text).replace(SEPARATORS, '');
}

/** Hashes a number for the history of checks: whoever knows the number can find it, and nobody can read it. */
export function hashNumber(phone: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`dncr-number:${phone}`).digest();
}
