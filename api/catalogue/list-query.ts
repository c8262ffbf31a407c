import { z } from 'zod';
import type { SortKey } from '../../store/catalogue/search.ts';
import { offset, plainText, whole } from './query-values.ts';

/** The parameters that several lists share: the page, the term, the order. */

/** "limit: integer 1 to 200, default 50. offset: integer, 0 or more" (GET /public/developers/search). */
export const pageFields = { limit: whole(1, 200, 50), offset };

const TERM_NAMES = ['search', 'q', 'query', 'term', 'keyword'] as const;
export const TERM_ALIASES = [TERM_NAMES];

const alias = plainText.meta({
  description: 'Alias for `search`: send one of them.',
});

export const termFields = {
  search: plainText.meta({
    description:
      'The term to look for. Aliases: `q`, `query`, `term`, `keyword`; send one of them.',
  }),
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
 * (`name:desc` or `-name`). Unknown keys are ignored." A key with any other direction is unknown too; each is named
 * once in `ignored`, which is absent without any. Without a known key, `order` is the direction of the default key.
 */
export function parseSort<Name extends string>(
  sort: string | undefined,
  order: 'asc' | 'desc' | undefined,
  known: readonly Name[],
  byDefault?: Name,
): { keys: SortKey<Name>[]; ignored?: string[] } {
  const keys = new Map<Name, SortKey<Name>>();
  const ignored = new Set<string>();
  for (const text of (sort ?? '').split(',').map((each) => each.trim())) {
    const [, minus, wanted = '', direction] = /^(-?)(\w+)(?::(asc|desc))?$/i.exec(text) ?? [];
    const name = known.find((each) => each.toLowerCase() === wanted.toLowerCase());
    const own = minus ? 'desc' : direction?.toLowerCase();
    if (name === undefined) ignored.add(text);
    else if (!keys.has(name))
      keys.set(name, { name, isDescending: (own ?? order ?? 'asc') === 'desc' });
  }
  ignored.delete('');
  if (keys.size === 0 && byDefault && order)
    keys.set(byDefault, { name: byDefault, isDescending: order === 'desc' });
  return { keys: [...keys.values()], ...(ignored.size > 0 && { ignored: [...ignored] }) };
}

/** Under `meta` of a list that can be sorted. */
export const ignoredKeys = z.array(z.string()).optional().meta({
  description: 'Keys of `sort` that this list does not have; absent where there are none.',
});
