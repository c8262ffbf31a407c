import { readNumber, type NumberReading } from './number.ts';

export const MAX_NUMBERS = 20;

export interface ReadInput {
  input: string;
  reading: NumberReading;
}

/** A request: each input as sent, and the distinct numbers among them. */
export interface CheckRequest {
  inputs: readonly ReadInput[];
  /** Distinct valid numbers in local form, sorted, so that leases are taken in one order everywhere. */
  phones: readonly string[];
  fresh: boolean;
}

export function readCheckRequest(inputs: readonly string[], fresh: boolean): CheckRequest {
  const read = inputs.map((input) => ({ input, reading: readNumber(input) }));
  const phones = read.flatMap(({ reading }) =>
    reading.kind === 'mobile' ? [reading.number.phone] : [],
  );
  return { inputs: read, phones: [...new Set(phones)].sort(), fresh };
}
