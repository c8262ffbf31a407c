import { sql as fragment } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { Page } from '../db/page.ts';

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

/** No parameter: Postgres uses an index on the enabled rows only where the condition is the index's own. */
export const isEnabled = fragment.ref<boolean>('enabled');

/** Columns of a typed query as SQL text: `logo_url as "logoUrl"`. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => column.replace(/ as (\w+)$/, ' as "$1"')).join(', ');
}

export interface PageQuery {
  select: string;
  from: string;
  /** Joins of which `where` asks nothing; each row of `from` finds one row of each. */
  joins?: string;
  where: readonly string[];
  /** Ends in a unique column, so that no record comes on two pages. */
  orderBy: readonly string[];
  /** The named parameters of all these. */
  values: object;
  limit: number;
  offset: number;
  /** Whether all matches are read for the order anyway: then they are counted along the way. */
  isRanked: boolean;
}

type Counted<Row> = Row & { matches: number };

/** One statement for a page and its total, so that an import comes before both or after both. */
export async function readPage<Row extends object>(sql: Sql, page: PageQuery): Promise<Page<Row>> {
  const rows = await readRows<Row>(sql, page);
  return {
    total: rows[0]?.matches ?? (await readTotal(sql, page)),
    rows: rows.map(({ matches: _matches, ...row }) => row as unknown as Row),
  };
}

function readRows<Row extends object>(sql: Sql, page: PageQuery): Promise<Counted<Row>[]> {
  const { select, from, joins = '', where, orderBy, values, limit, offset } = page;
  return sql.query<Counted<Row>>(
    `select ${select}, ${countSql(page)} as matches from ${from} ${joins}
     where ${where.join(' and ')} order by ${orderBy.join(', ')}
     limit :limit::bigint offset :offset::bigint`,
    { ...values, limit, offset },
  );
}

function countSql({ isRanked, from, where }: PageQuery): string {
  if (isRanked) return 'count(*) over ()::int';
  return `(select count(*)::int from ${from} where ${where.join(' and ')})`;
}

/** A page beyond the end has no row that carries the total. */
async function readTotal(sql: Sql, page: PageQuery): Promise<number> {
  if (page.offset === 0) return 0;
  const [first] = await readRows(sql, { ...page, limit: 1, offset: 0 });
  return first?.matches ?? 0;
}
