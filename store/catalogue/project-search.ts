import { holds, placeNames, rankOrder, termSql } from './search.ts';
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
  const placeHoldsTerm = placeNames(folded).map(holdsTerm).join(' or ');
  return {
    // Three lists, since one condition with "or" would read every project.
    where: `p.id in (
      select p.id from projects p where ${match.where}
      union all select p.id from projects p
        where p.published and p.developer_id in (select id from developers where ${holdsTerm('search_name')})
      union all select p.id from projects p
        where p.published and p.location_id in (select id from locations where ${placeHoldsTerm}))`,
    orderBy: rankOrder(match, sort),
  };
}
