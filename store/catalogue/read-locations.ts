import type { Sql } from '../db/database.ts';
import {
  columnList,
  isEnabled,
  locationNameColumns,
  rankOrder,
  readPage,
  readWithTerm,
  termSql,
  type Catalogue,
} from './search.ts';

const COLUMNS = ['id', 'name', 'level', 'path'] as const;

interface LocationQuery {
  term?: string | undefined;
  level?: string | undefined;
  limit: number;
  offset: number;
}

type LocationRow = NonNullable<Awaited<ReturnType<typeof readLocation>>>;

export function readLocations(database: Catalogue, query: LocationQuery) {
  const { level, limit, offset } = query;
  return readWithTerm(database, { of: 'locations', ...query }, (sql, term) => {
    const where = ['enabled', ...(level === undefined ? [] : ['lower(level) = lower(:level)'])];
    const names = term ? locationNameColumns(term) : [];
    const columns = { names, texts: names };
    const match = term && termSql(term, { from: 'locations', conditions: where, ...columns });
    if (match) where.push(`(${match.where})`);
    return readPage<LocationRow>(sql, {
      limit,
      offset,
      select: columnList(COLUMNS),
      from: match?.from ?? 'locations',
      where,
      orderBy: [...(match ? rankOrder(match) : []), 'path', 'id'],
      values: { level, ...term },
      isRanked: term !== null,
    });
  });
}

export async function readLocation(sql: Sql, id: string) {
  const query = sql.tables.selectFrom('locations').select(COLUMNS);
  const [location] = await sql.run(query.where('id', '=', id).where(isEnabled));
  return location ?? null;
}
