import type { QueryResultRow } from 'pg';
import type { Sql } from '../database.ts';
import type { Parameters } from './parameters.ts';

export interface PageQuery {
  select: string;
  from: string;
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

type Counted<Row> = Row & { matches?: number };

export async function readPage<Row extends QueryResultRow>(
  sql: Sql,
  page: PageQuery,
): Promise<Page<Row>> {
  const rows = await readRows<Row>(sql, page);
  return {
    total: await totalOf(sql, page, rows),
    rows: rows.map(({ matches: _matches, ...row }) => row as unknown as Row),
  };
}

function readRows<Row extends QueryResultRow>(sql: Sql, page: PageQuery): Promise<Counted<Row>[]> {
  const { select, from, where, orderBy, parameters, limit, offset, isRanked } = page;
  const count = isRanked ? ', count(*) over ()::int as matches' : '';
  const values = parameters.values;
  return sql.query<Counted<Row>>(
    `select ${select}${count} from ${from} where ${where.join(' and ')}
     order by ${orderBy.join(', ')}
     limit $${values.length + 1}::bigint offset $${values.length + 2}::bigint`,
    [...values, limit, offset],
  );
}

/** The last page tells the total by itself. */
async function totalOf<Row>(
  sql: Sql,
  page: PageQuery,
  rows: readonly Counted<Row>[],
): Promise<number> {
  const matches = rows[0]?.matches;
  if (matches !== undefined) return matches;
  if (page.offset === 0 && rows.length < page.limit) return rows.length;
  if (rows.length > 0 && rows.length < page.limit) return page.offset + rows.length;
  if (page.isRanked)
    return (
      (await readRows<{ matches: number }>(sql, { ...page, limit: 1, offset: 0 }))[0]?.matches ?? 0
    );
  const [row] = await sql.query<{ total: number }>(
    `select count(*)::int as total from ${page.from} where ${page.where.join(' and ')}`,
    page.parameters.values,
  );
  return row?.total ?? 0;
}
