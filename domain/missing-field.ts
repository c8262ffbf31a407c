import type * as z from 'zod';

/** What is said of a field that is not there; anything else is left to the schema's own words. */
export function missingField({ input }: z.core.$ZodRawIssue): string | undefined {
  return input === undefined ? 'is missing' : undefined;
}
