import type { SortKey } from '../../store/catalogue/read-page.ts';
import { offset, plainText, whole } from './query-values.ts';

/** The parameters that several lists share: the page, the term, the order. */

/** "limit: integer 1 to 200, default 50. offset: integer, 0 or more" (GET /public/developers/search). */
export const pageFields = { limit: whole(1, 200, 50), offset };

const TERM_NAMES = ['search', 'q', 'query', 'term', 'keyword'] as const;
export const TERM_ALIASES = { groups: [TERM_NAMES], blank: '^\\s*$' };

const alias = plainText.meta({ description: 'Alias for `search`.' });

export const termFields = {
  search: plainText.meta({ description: 'The term to look for.' }),
  q: alias,
  query: alias,
  term: alias,
  keyword: alias,
};

export function searchTerm(query: { [Name in (typeof TERM_NAMES)[number]]?: string | undefined }) {
  return TERM_NAMES.map((name) => query[name]).find((term) => term !== undefined);
}

/**
 * "A comma-separated list of sort keys, most significant first, each optionally with its own direction
 * (`name:desc` or `-name`). Unknown keys are ignored." A key with any other direction is unknown too.
 * Without any key, `order` is the direction of the default key.
 */
export function parseSort<Name extends string>(
  sort: string | undefined,
  order: 'asc' | 'desc' | undefined,
  known: readonly Name[],
  byDefault?: Name,
): SortKey<Name>[] {
  const keys = (sort ?? '').split(',').flatMap((text): SortKey<Name>[] => {
    const [, minus, wanted = '', direction] =
      /^(-?)(\w+)(?::(asc|desc))?$/i.exec(text.trim()) ?? [];
    const name = known.find((each) => each.toLowerCase() === wanted.toLowerCase());
    if (name === undefined) return [];
    const own = minus ? 'desc' : direction?.toLowerCase();
    return [{ name, isDescending: (own ?? order ?? 'asc') === 'desc' }];
  });
  if (keys.length === 0 && byDefault && order)
    return [{ name: byDefault, isDescending: order === 'desc' }];
  return [...new Map(keys.toReversed().map((key) => [key.name, key])).values()].toReversed();
}
