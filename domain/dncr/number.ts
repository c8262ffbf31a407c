import { withoutSeparators } from './separators.ts';

/** A UAE mobile number in the two forms that are given back. */
export interface MobileNumber {
  /** Local form, which is also how the registry is asked: 05XXXXXXXX. */
  phone: string;
  e164: string;
}

export type NumberReading =
  { kind: 'mobile'; number: MobileNumber } | { kind: 'invalid'; fault: string };

const MAX_INPUT_LENGTH = 64;

/**
 * Prefixes move and numbers are ported, so every well-formed 5X number counts and the registry is asked
 * rather than a list of operators.
 */
const MOBILE = /^(?:\+971|00971|971|0)?(5\d{8})$/;

/** Reads the number forms of POST /public/dncr/check. */
export function readNumber(input: string): NumberReading {
  if (input.length > MAX_INPUT_LENGTH) {
    return { kind: 'invalid', fault: `Longer than ${MAX_INPUT_LENGTH} characters.` };
  }
  const digits = MOBILE.exec(withoutSeparators(input))?.[1];
  if (digits === undefined) return { kind: 'invalid', fault: 'Not a UAE mobile number.' };
  return { kind: 'mobile', number: { phone: `0${digits}`, e164: `+971${digits}` } };
}
