import type { Sql } from './database.ts';
import { statement, type Statement } from './statement.ts';

/** No list is counted much further: its reader only learns that there are more. */
export const MOST_COUNTED = 10_000;

/** Some rows of a list, and how many it has; above `MOST_COUNTED` at least that many. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

type CountStatement<Params extends object> = Statement<
  Params & { most: number },
  { total: number }
>;

/** Counts what `selected` selects, at most `:most` rows of it. */
export const countSql = (selected: string) =>
  `select count(*)::int as total from (select from (${selected}) selected limit :most) counted`;

/** Counts only if there may be more rows than the page holds. */
export async function countPage<Params extends { limit: number }, Row>(
  sql: Sql,
  rows: Row[],
  count: CountStatement<Params>,
  params: Params,
): Promise<Page<Row>> {
  if (rows.length < params.limit) return { rows, total: rows.length };
  const most = Math.max(rows.length, MOST_COUNTED) + 1;
  const counted = await sql.first(count, { ...params, most });
  return { rows, total: counted?.total ?? 0 };
}

export interface PageStatements<Params extends object, Row> {
  rows: Statement<Params, Row>;
  count: CountStatement<Params>;
}

/** Declares a list of at most `:limit` rows; `selected` is a SELECT of all of them, which is counted. */
export function pageStatements<Params extends { limit: number }, Row>(
  name: string,
  { rows, selected }: { rows: string; selected: string },
): PageStatements<Params, Row> {
  return {
    rows: statement<Params, Row>(name)`${rows}`,
    count: statement<Params & { most: number }, { total: number }>(
      `count_${name}`,
    )`${countSql(selected)}`,
  };
}

export async function readPage<Params extends { limit: number }, Row>(
  sql: Sql,
  { rows, count }: PageStatements<Params, Row>,
  params: Params,
): Promise<Page<Row>> {
  return countPage(sql, await sql.all(rows, params), count, params);
}
