import type { MissingSearchAttributes } from '../workflows/contracts/search-attributes.ts';

/** Tells the workflow which search attributes it may not set; nothing is added where there are none. */
export function withMissingAttributes<T extends object>(
  result: T,
  missingSearchAttributes: readonly string[],
): T & MissingSearchAttributes {
  return missingSearchAttributes.length > 0 ? { ...result, missingSearchAttributes } : result;
}
