import { isUuid, NIL_UUID } from '../../domain/uuid.ts';
import type { Sql } from '../db/database.ts';
import { statement, statementVariants } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';
import {
  type Catalogue,
  type Counted,
  locationNameColumns,
  orderTerms,
  rankOrder,
  readCountedPage,
  readWithTerm,
  type SortKey,
  termSql,
} from './search.ts';

const DEVELOPER_COLUMNS = `id, name, slug, logo_url as "logoUrl", image_url as "imageUrl", description, enabled,
  popular, contact_id as "contactId", created_at as "createdAt", updated_at as "updatedAt"`;

type Columns = TableRow<'developers'>;

interface DeveloperRow extends Pick<
  Columns,
  'id' | 'name' | 'slug' | 'description' | 'enabled' | 'popular'
> {
  logoUrl: Columns['logo_url'];
  imageUrl: Columns['image_url'];
  contactId: Columns['contact_id'];
  createdAt: Date;
  updatedAt: Date;
}

const SORT_COLUMNS = {
  name: 'name',
  slug: 'slug',
  popular: 'popular',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const;

export type DeveloperSortKey = keyof typeof SORT_COLUMNS;
export const developerSortKeys = Object.keys(SORT_COLUMNS) as DeveloperSortKey[];

interface DeveloperQuery {
  term?: string | undefined;
  popular?: boolean | undefined;
  sort: readonly SortKey<DeveloperSortKey>[];
  limit: number;
  offset: number;
}

/** "Term matched against name, slug, description and id; exact-name matches rank first." */
export function readDevelopers(database: Catalogue, query: DeveloperQuery) {
  const { term: sentTerm, popular, sort, ...page } = query;
  return readWithTerm(database, { of: 'developers', ...query }, (sql, term) => {
    const where = ['enabled', ...(popular === undefined ? [] : ['popular = :popular'])];
    const wanted = orderTerms(sort, SORT_COLUMNS);
    const columns = { names: ['search_name'], texts: ['search_text'] };
    const match = term && termSql(term, { from: 'developers', conditions: where, ...columns });
    if (match) where.push(`(${match.where} or id between :firstId::uuid and :lastId::uuid)`);
    return readCountedPage(sql, {
      ...page,
      variants: searchDevelopers,
      select: DEVELOPER_COLUMNS,
      from: match?.from ?? 'developers',
      where,
      orderBy: [...(match ? rankOrder(match, wanted) : wanted), 'name', 'id'],
      values: { popular, ...term, ...idRange(sentTerm) },
      isRanked: term !== null,
    });
  });
}

const searchDevelopers = statementVariants<object, Counted<DeveloperRow>>('search_developers');

/** Shorter terms are words too, such as `face`, and numbers. */
const MIN_ID_PREFIX = 6;
const GREATEST_ID = NIL_UUID.replaceAll('0', 'f');

/** The first and the last id that begin with the term; null for a term that begins no id. */
function idRange(term = ''): { firstId: string | null; lastId: string | null } {
  const firstId = term + NIL_UUID.slice(term.length);
  if (term.length < MIN_ID_PREFIX || !isUuid(firstId)) return { firstId: null, lastId: null };
  return { firstId, lastId: term + GREATEST_ID.slice(term.length) };
}

export function readDeveloper(sql: Sql, id: string): Promise<DeveloperRow | null> {
  return sql.first(READ_DEVELOPER, { id });
}

const READ_DEVELOPER = statement<{ id: string }, DeveloperRow>('read_developer')`
select ${DEVELOPER_COLUMNS} from developers where id = :id and enabled`;

const LOCATION_COLUMNS = 'id, name, level, path';

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
      select: LOCATION_COLUMNS,
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
select ${LOCATION_COLUMNS} from locations where id = :id and enabled`;
