import type { Sql } from '../db/database.ts';
import { statement, statementVariants } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';
import {
  locationNameColumns,
  rankOrder,
  readCountedPage,
  readWithTerm,
  termSql,
  type Catalogue,
  type Counted,
} from './search.ts';

const COLUMNS = 'id, name, level, path';

type LocationRow = Pick<TableRow<'locations'>, 'id' | 'name' | 'level' | 'path'>;

interface LocationQuery {
  term?: string | undefined;
  level?: string | undefined;
  limit: number;
  offset: number;
}

export function readLocations(database: Catalogue, query: LocationQuery) {
  const { level, limit, offset } = query;
  return readWithTerm(database, { of: 'locations', ...query }, (sql, term) => {
    const where = ['enabled', ...(level === undefined ? [] : ['lower(level) = lower(:level)'])];
    const names = term ? locationNameColumns(term) : [];
    const columns = { names, texts: names };
    const match = term && termSql(term, { from: 'locations', conditions: where, ...columns });
    if (match) where.push(`(${match.where})`);
    return readCountedPage(sql, {
      variants: searchLocations,
      limit,
      offset,
      select: COLUMNS,
      from: match?.from ?? 'locations',
      where,
      orderBy: [...(match ? rankOrder(match) : []), 'path', 'id'],
      values: { level, ...term },
      isRanked: term !== null,
    });
  });
}

const searchLocations = statementVariants<object, Counted<LocationRow>>('search_locations');

export function readLocation(sql: Sql, id: string): Promise<LocationRow | null> {
  return sql.first(READ_LOCATION, { id });
}

const READ_LOCATION = statement<{ id: string }, LocationRow>('read_location')`
select ${COLUMNS} from locations where id = :id and enabled`;
