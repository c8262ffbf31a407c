export interface SortKey<Name extends string = string> {
  name: Name;
  isDescending: boolean;
}

/** Empty values come last in either direction. */
export function orderTerms<Name extends string>(
  keys: readonly SortKey<Name>[],
  columns: Readonly<Record<Name, string>>,
): string[] {
  return keys.map(
    ({ name, isDescending }) => `${columns[name]} ${isDescending ? 'desc' : 'asc'} nulls last`,
  );
}
