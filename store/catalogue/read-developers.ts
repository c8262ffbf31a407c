import { isUuid } from '../../domain/uuid.ts';
import type { Database, Sql } from '../db/database.ts';
import { orderTerms } from './order.ts';
import type { SortKey } from './order.ts';
import { Parameters } from './parameters.ts';
import { isEmptyPage, readPage } from './read-page.ts';
import type { Page } from './read-page.ts';
import { rankOrder, termSql, withTerm } from './search.ts';
import type { FoldedTerm } from './search.ts';

export interface DeveloperRow {
  id: string;
  name: string;
  slug: string;
  logoUrl: string | null;
  imageUrl: string | null;
  description: string | null;
  enabled: boolean;
  popular: boolean;
  contactId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = `id, name, slug, logo_url as "logoUrl", image_url as "imageUrl", description, enabled,
  popular, contact_id as "contactId", created_at as "createdAt", updated_at as "updatedAt"`;

const SORT_COLUMNS = {
  name: 'name',
  slug: 'slug',
  popular: 'popular',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const;

export type DeveloperSortKey = keyof typeof SORT_COLUMNS;
export const developerSortKeys = Object.keys(SORT_COLUMNS) as DeveloperSortKey[];

/** Shorter ones are words too, such as `face`, and numbers. */
const SHORTEST_PART_OF_ID = 6;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const GREATEST_ID = LEAST_ID.replaceAll('0', 'f');

export interface DeveloperQuery {
  term?: string | undefined;
  popular?: boolean | undefined;
  sort: readonly SortKey<DeveloperSortKey>[];
  limit: number;
  offset: number;
}

/** "Term matched against name, slug, description and id; exact-name matches rank first." */
export async function readDevelopers(
  database: Database,
  query: DeveloperQuery,
): Promise<Page<DeveloperRow>> {
  const { term } = query;
  if (term === undefined) return pageOf(database, query, null);
  return withTerm(database, term, (sql, folded) => pageOf(sql, query, folded), isEmptyPage);
}

function pageOf(
  sql: Sql,
  query: DeveloperQuery,
  folded: FoldedTerm | null,
): Promise<Page<DeveloperRow>> {
  const { term = '', popular, sort, limit, offset } = query;
  const parameters = new Parameters();
  const where = ['enabled'];
  let orderBy = [...orderTerms(sort, SORT_COLUMNS), 'name', 'id'];
  if (popular !== undefined) where.push(`popular = ${parameters.add(popular)}`);
  if (folded) {
    const match = termSql(folded, { names: ['search_name'], texts: ['search_text'] }, parameters);
    const [first, last] = idsThatBegin(term).map((id) => `${parameters.add(id)}::uuid`);
    where.push(`(${match.where} or id between ${first} and ${last})`);
    const ranked = rankOrder(match, orderTerms(sort, SORT_COLUMNS));
    orderBy = [...ranked, 'name', 'id'];
  }
  const page = { select: COLUMNS, from: 'developers', where, orderBy, parameters, limit, offset };
  return readPage<DeveloperRow & Record<string, unknown>>(sql, {
    ...page,
    isRanked: folded !== null,
  });
}

/** The first and the last id that begin with the term, without any for a term that begins none. */
function idsThatBegin(term: string): [string | null, string | null] {
  const first = term + LEAST_ID.slice(term.length);
  if (term.length < SHORTEST_PART_OF_ID || !isUuid(first)) return [null, null];
  return [first, term + GREATEST_ID.slice(term.length)];
}

export async function readDeveloper(sql: Sql, id: string): Promise<DeveloperRow | null> {
  const [developer] = await sql.query<DeveloperRow & Record<string, unknown>>(
    `select ${COLUMNS} from developers where id = $1 and enabled`,
    [id],
  );
  return developer ?? null;
}
