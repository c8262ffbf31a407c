import type { Database, Sql } from '../db/database.ts';
import { insideBox } from './bounding-box.ts';
import type { Box } from './bounding-box.ts';
import { orderTerms } from './order.ts';
import type { SortKey } from './order.ts';
import { Parameters } from './parameters.ts';
import { filterConditions } from './project-filters.ts';
import type { ProjectFilters } from './project-filters.ts';
import { COMPACT, FULL, JOINS, PIN, SORT_COLUMNS } from './project-columns.ts';
import type { ProjectSortKey } from './project-columns.ts';
import { projectSearch } from './project-search.ts';
import { isEmptyPage, readPage } from './read-page.ts';
import type { Page } from './read-page.ts';
import { withTerm } from './search.ts';
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

export async function readProjects(
  database: Database,
  query: ProjectQuery,
): Promise<Page<ProjectRow>> {
  const { term } = query;
  if (term === undefined) return pageOf(database, query, null);
  return withTerm(database, term, (sql, folded) => pageOf(sql, query, folded), isEmptyPage);
}

function pageOf(
  sql: Sql,
  query: ProjectQuery,
  folded: FoldedTerm | null,
): Promise<Page<ProjectRow>> {
  const { where, orderBy, parameters } = partsOf(query, query.sort, folded);
  const select = query.isSimplified ? COMPACT : FULL;
  const { limit, offset } = query;
  const page = {
    select,
    from: 'projects p',
    joins: JOINS,
    where,
    orderBy,
    parameters,
    limit,
    offset,
  };
  return readPage<ProjectRow>(sql, { ...page, isRanked: folded !== null });
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

export async function readPins(database: Database, query: PinQuery): Promise<ProjectRow[]> {
  const { term } = query;
  if (term === undefined) return pinsOf(database, query, null);
  const isEmpty = (pins: ProjectRow[]) => pins.length === 0;
  return withTerm(database, term, (sql, folded) => pinsOf(sql, query, folded), isEmpty);
}

function pinsOf(sql: Sql, query: PinQuery, folded: FoldedTerm | null): Promise<ProjectRow[]> {
  const { where, orderBy, parameters } = partsOf(query, [], folded);
  where.push(insideBox(query.box, 'p.latitude', 'p.longitude', parameters));
  return sql.query<ProjectRow>(
    `select ${PIN} from projects p ${JOINS} where ${where.join(' and ')} order by ${orderBy.join(', ')}`,
    parameters.values,
  );
}

function partsOf(
  filters: ProjectFilters,
  sort: readonly SortKey<ProjectSortKey>[],
  folded: FoldedTerm | null,
): { where: string[]; orderBy: string[]; parameters: Parameters } {
  const parameters = new Parameters();
  const where = filterConditions(filters, parameters);
  const wished = orderTerms(sort, SORT_COLUMNS);
  const search = folded
    ? projectSearch(folded, parameters, wished)
    : { where: 'true', orderBy: wished };
  return {
    where: [...where, search.where],
    orderBy: [...search.orderBy, 'p.title', 'p.id'],
    parameters,
  };
}
