import type { Database, Sql } from '../db/database.ts';
import { Parameters } from './parameters.ts';
import { isEmptyPage, readPage } from './read-page.ts';
import type { Page } from './read-page.ts';
import { placeNames, rankOrder, termSql, withTerm } from './search.ts';
import type { FoldedTerm } from './search.ts';

export interface LocationRow {
  id: string;
  name: string;
  level: string;
  path: string;
}

const COLUMNS = 'id, name, level, path';

export interface LocationQuery {
  term?: string | undefined;
  level?: string | undefined;
  limit: number;
  offset: number;
}

/** By relevance when there is a term, else the tree in the order of its paths. */
export async function readLocations(
  database: Database,
  query: LocationQuery,
): Promise<Page<LocationRow>> {
  const { term } = query;
  if (term === undefined) return pageOf(database, query, null);
  return withTerm(database, term, (sql, folded) => pageOf(sql, query, folded), isEmptyPage);
}

function pageOf(
  sql: Sql,
  query: LocationQuery,
  folded: FoldedTerm | null,
): Promise<Page<LocationRow>> {
  const { level, limit, offset } = query;
  const parameters = new Parameters();
  const where = ['enabled'];
  let orderBy = ['path', 'id'];
  if (level !== undefined) where.push(`lower(level) = lower(${parameters.add(level)})`);
  if (folded) {
    const names = placeNames(folded);
    const match = termSql(folded, { names, texts: names }, parameters);
    where.push(`(${match.where})`);
    orderBy = [...rankOrder(match), ...orderBy];
  }
  const page = { select: COLUMNS, from: 'locations', where, orderBy, parameters, limit, offset };
  return readPage<LocationRow & Record<string, unknown>>(sql, {
    ...page,
    isRanked: folded !== null,
  });
}

export async function readLocation(sql: Sql, id: string): Promise<LocationRow | null> {
  const [location] = await sql.query<LocationRow & Record<string, unknown>>(
    `select ${COLUMNS} from locations where id = $1 and enabled`,
    [id],
  );
  return location ?? null;
}
