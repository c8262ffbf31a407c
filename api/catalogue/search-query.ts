import type { z } from 'zod';
import { offset, plainText, whole } from './query-values.ts';

export const TERM_NAMES = ['search', 'q', 'query', 'term', 'keyword'] as const;

const alias = plainText.meta({ description: 'Alias for `search`.' });

export const termFields = {
  search: plainText.meta({ description: 'The term to look for.' }),
  q: alias,
  query: alias,
  term: alias,
  keyword: alias,
};

export function termOf(query: { [Name in (typeof TERM_NAMES)[number]]?: string | undefined }) {
  return TERM_NAMES.map((name) => query[name]).find((term) => term !== undefined);
}

/** "limit: integer 1 to 200, default 50. offset: integer, 0 or more" (GET /public/developers/search). */
export const pageFields: {
  limit: z.ZodType<number, string | undefined>;
  offset: z.ZodType<number, string | undefined>;
} = {
  limit: whole({ min: 1, max: 200, byDefault: 50 }),
  offset,
};
