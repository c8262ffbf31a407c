import type { SortKey } from '../../store/catalogue/read-page.ts';

/**
 * "A comma-separated list of sort keys, most significant first, each optionally with its own direction
 * (`name:desc` or `-name`). Unknown keys are ignored." What is no direction makes the key unknown.
 * Without any key, `order` turns the order that holds by default.
 */
export function sortKeys<Name extends string>(
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
