import { readIsoDateTime } from './date-iso.ts';
import { readNumericDate } from './date-numeric.ts';
import { readWrittenDate } from './date-written.ts';
import type { Phrase } from './phrase.ts';
import type { DateMeaning } from './reading.ts';

/** A date-time has the most tokens: `2026-03-15T10:00:00.000+04:00`. */
const MAX_TOKENS = 20;

/** ISO-8601 and unambiguous text; 03/04/2026 is deliberately not read. */
export function readDate({ tokens }: Phrase): DateMeaning | null {
  if (tokens.length > MAX_TOKENS) return null;
  return readIsoDateTime(tokens) ?? readNumericDate(tokens) ?? readWrittenDate(tokens);
}
