import { holds, isArabic, rankOrder, termSql } from './search.ts';
import type { FoldedTerm } from './search.ts';
import type { Parameters } from './parameters.ts';

/** A project is found by its own text, and by the names of its developer and its location. */
export function projectSearch(
  folded: FoldedTerm,
  parameters: Parameters,
  sort: readonly string[],
): { where: string; orderBy: string[] } {
  const match = termSql(folded, { names: ['p.search_name'], texts: ['p.search_text'] }, parameters);
  const holdsTerm = holds(folded, parameters.add(folded.pattern));
  const place = isArabic(folded) ? 'search_name_ar' : 'search_name';
  return {
    where: `(${match.where}
      or p.developer_id in (select id from developers where ${holdsTerm('search_name')})
      or p.location_id in (select id from locations where ${holdsTerm(place)}))`,
    orderBy: rankOrder(match, sort),
  };
}
