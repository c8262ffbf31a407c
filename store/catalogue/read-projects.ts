import type { Database, Sql } from '../db/database.ts';
import { COMPACT, FULL, JOINS, PIN, SORT_COLUMNS } from './project-columns.ts';
import type { ProjectSortKey } from './project-columns.ts';
import { boxCondition, filterConditions } from './project-filters.ts';
import type { Box, ProjectFilters } from './project-filters.ts';
import { isEmptyPage, orderTerms, readPage } from './read-page.ts';
import type { Page, SortKey } from './read-page.ts';
import { containsTerm, locationNameColumns, rankOrder, readWithTerm, termSql } from './search.ts';
import type { FoldedTerm } from './search.ts';

export interface ProjectQuery extends ProjectFilters {
  term?: string | undefined;
  isSimplified: boolean;
  sort: readonly SortKey<ProjectSortKey>[];
  limit: number;
  offset: number;
}

/** With the columns of the record, compact or full; times as Date. */
export type ProjectRow = Record<string, unknown>;

export function readProjects(database: Database, query: ProjectQuery): Promise<Page<ProjectRow>> {
  const read = (sql: Sql, term: FoldedTerm | null) => {
    const { limit, offset, isSimplified, sort } = query;
    const select = isSimplified ? COMPACT : FULL;
    const found = findProjects(query, sort, term);
    const isRanked = term !== null;
    const from = { from: 'projects p', joins: JOINS };
    return readPage<ProjectRow>(sql, { select, ...from, ...found, limit, offset, isRanked });
  };
  return readWithTerm(database, query.term, read, isEmptyPage);
}

export async function readProject(
  sql: Sql,
  id: string,
  isSimplified: boolean,
): Promise<ProjectRow | null> {
  const [project] = await sql.query<ProjectRow>(
    `select ${isSimplified ? COMPACT : FULL} from projects p ${JOINS} where p.id = $1 and p.published`,
    [id],
  );
  return project ?? null;
}

export interface PinQuery extends ProjectFilters {
  term?: string | undefined;
  box: Box;
}

export function readPins(database: Database, query: PinQuery): Promise<ProjectRow[]> {
  const inBox = boxCondition(query.box);
  const read = (sql: Sql, term: FoldedTerm | null) => {
    const { where, orderBy, values } = findProjects(query, [], term);
    return sql.query<ProjectRow>(
      `select ${PIN} from projects p ${JOINS}
       where ${[...where, inBox.where].join(' and ')} order by ${orderBy.join(', ')}`,
      { ...values, ...inBox.values },
    );
  };
  return readWithTerm(database, query.term, read, (pins) => pins.length === 0);
}

function findProjects(
  filters: ProjectFilters,
  sort: readonly SortKey<ProjectSortKey>[],
  term: FoldedTerm | null,
): { where: string[]; orderBy: string[]; values: object } {
  const wanted = orderTerms(sort, SORT_COLUMNS);
  const search = term ? searchProjects(term, wanted) : { where: [], orderBy: wanted };
  return {
    where: [...filterConditions(filters), ...search.where],
    orderBy: [...search.orderBy, 'p.title', 'p.id'],
    values: { ...filters, ...term },
  };
}

/** A project is found by its own text, and by the names of its developer and its location. */
function searchProjects(term: FoldedTerm, sort: readonly string[]) {
  const match = termSql(term, { names: ['p.search_name'], texts: ['p.search_text'] });
  const contains = containsTerm(term);
  const locationContains = locationNameColumns(term).map(contains).join(' or ');
  // Three lists, since one condition with "or" would read every project.
  const where = `p.id in (
    select p.id from projects p where ${match.where}
    union all select p.id from projects p
      where p.published and p.developer_id in (select id from developers where ${contains('search_name')})
    union all select p.id from projects p
      where p.published and p.location_id in (select id from locations where ${locationContains}))`;
  return { where: [where], orderBy: rankOrder(match, sort) };
}
