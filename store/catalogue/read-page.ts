import type { QueryResultRow } from 'pg';
import type { Sql } from '../db/database.ts';
import type { Parameters } from './parameters.ts';

export interface PageQuery {
  select: string;
  from: string;
  /** What is joined for show only: each record finds one of each, and `where` asks nothing of them. */
  joins?: string;
  where: readonly string[];
  /** Ends in what is unique, so that no record comes on two pages. */
  orderBy: readonly string[];
  parameters: Parameters;
  limit: number;
  offset: number;
  /** All matches are read for the order anyway, so they are counted along the way. */
  isRanked: boolean;
}

export interface Page<Row> {
  rows: Row[];
  total: number;
}

export function isEmptyPage({ total }: Page<unknown>): boolean {
  return total === 0;
}

type Counted<Row> = Row & { matches: number };

/** In one statement, so that an import falls before a page and its total or after both. */
export async function readPage<Row extends QueryResultRow>(
  sql: Sql,
  page: PageQuery,
): Promise<Page<Row>> {
  const rows = await readRows<Row>(sql, page);
  return {
    total: rows[0]?.matches ?? (await totalBefore(sql, page)),
    rows: rows.map(({ matches: _matches, ...row }) => row as unknown as Row),
  };
}

function readRows<Row extends QueryResultRow>(sql: Sql, page: PageQuery): Promise<Counted<Row>[]> {
  const { select, from, joins = '', where, orderBy, parameters, limit, offset } = page;
  const values = parameters.values;
  return sql.query<Counted<Row>>(
    `select ${select}, ${matchesOf(page)} as matches from ${from} ${joins} where ${where.join(' and ')}
     order by ${orderBy.join(', ')}
     limit $${values.length + 1}::bigint offset $${values.length + 2}::bigint`,
    [...values, limit, offset],
  );
}

function matchesOf({ isRanked, from, where }: PageQuery): string {
  if (isRanked) return 'count(*) over ()::int';
  return `(select count(*)::int from ${from} where ${where.join(' and ')})`;
}

/** A page beyond the end has no row to tell the total. */
async function totalBefore(sql: Sql, page: PageQuery): Promise<number> {
  if (page.offset === 0) return 0;
  const [first] = await readRows(sql, { ...page, limit: 1, offset: 0 });
  return first?.matches ?? 0;
}
