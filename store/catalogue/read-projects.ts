import type { Database, Sql } from '../db/database.ts';
import {
  boxCondition,
  filterConditions,
  type Box,
  type ProjectFilters,
} from './project-filters.ts';
import { orderTerms, readPage, type Page, type SortKey } from './read-page.ts';
import {
  containsTerm,
  locationNameColumns,
  rankOrder,
  readWithTerm,
  termSql,
  type FoldedTerm,
} from './search.ts';

/** Outer ones, though none can be missing: Postgres leaves out those of which nothing is asked. */
const JOINS = `
  left join locations l on l.id = p.location_id
  left join list_entries s on s.id = p.status_id
  left join developers d on d.id = p.developer_id`;

const STATUS = `jsonb_build_object('id', s.id, 'name', s.name, 'color', s.attributes ->> 'color') as status`;

const COMPACT = `p.id, p.title, p.slug, p.campaign_type as "campaignType",
  array(select t.name from unnest(p.property_type_ids) with ordinality as i (id, at)
    join list_entries t on t.id = i.id order by i.at) as "propertyTypes",
  p.starting_price::text as "startingPrice",
  p.delivery_date::timestamp at time zone 'UTC' as "deliveryDate",
  p.brochure, p.payment_plans as "paymentPlans",
  case when d.id is not null then
    jsonb_build_object('id', d.id, 'name', d.name, 'slug', d.slug, 'logoUrl', d.logo_url) end as developer,
  jsonb_build_object('id', l.id, 'name', l.name, 'path', l.path) as location,
  coalesce(p.images -> 0, '{"url": null, "alt": null}') as image,
  ${STATUS}`;

const FULL = `${COMPACT}, p.description, p.ownership_type as "ownershipType",
  p.stock_availability as "stockAvailability", p.latitude, p.longitude, p.amenities, p.bedrooms,
  p.images, p.created_at as "createdAt", p.updated_at as "updatedAt"`;

const PIN = `p.id, p.title, p.slug, p.latitude, p.longitude,
  p.starting_price::text as "startingPrice", ${STATUS}`;

const SORT_COLUMNS = {
  title: 'p.title',
  slug: 'p.slug',
  startingPrice: 'p.starting_price',
  deliveryDate: 'p.delivery_date',
  developer: 'd.name',
  location: 'l.path',
  status: 's.name',
  createdAt: 'p.created_at',
  updatedAt: 'p.updated_at',
} as const;

type ProjectSortKey = keyof typeof SORT_COLUMNS;
export const projectSortKeys = Object.keys(SORT_COLUMNS) as ProjectSortKey[];

export interface ProjectQuery extends ProjectFilters {
  term?: string | undefined;
  isSimplified: boolean;
  sort: readonly SortKey<ProjectSortKey>[];
  limit: number;
  offset: number;
}

/** With the columns of the record, compact or full; times as Date. */
export type ProjectRow = Record<string, unknown>;

export function readProjects(database: Database, query: ProjectQuery): Promise<Page<ProjectRow>> {
  const { limit, offset, isSimplified, sort } = query;
  return readWithTerm(database, query.term, (sql, term) =>
    readPage<ProjectRow>(sql, {
      ...findProjects(query, sort, term),
      select: isSimplified ? COMPACT : FULL,
      from: 'projects p',
      joins: JOINS,
      limit,
      offset,
      isRanked: term !== null,
    }),
  );
}

export function readProject(sql: Sql, id: string, isSimplified: boolean) {
  return sql.queryOne<ProjectRow>(
    `select ${isSimplified ? COMPACT : FULL} from projects p ${JOINS} where p.id = $1 and p.published`,
    [id],
  );
}

export interface PinQuery extends ProjectFilters {
  term?: string | undefined;
  box: Box;
}

export async function readPins(database: Database, query: PinQuery): Promise<ProjectRow[]> {
  const inBox = boxCondition(query.box);
  const { rows } = await readWithTerm(database, query.term, async (sql, term) => {
    const { where, orderBy, values } = findProjects(query, [], term);
    const pins = await sql.query<ProjectRow>(
      `select ${PIN} from projects p ${JOINS}
       where ${[...where, inBox.where].join(' and ')} order by ${orderBy.join(', ')}`,
      { ...values, ...inBox.values },
    );
    return { rows: pins, total: pins.length };
  });
  return rows;
}

function findProjects(
  filters: ProjectFilters,
  sort: readonly SortKey<ProjectSortKey>[],
  term: FoldedTerm | null,
) {
  const wanted = orderTerms(sort, SORT_COLUMNS);
  const search = term ? searchProjects(term, wanted) : { where: [], orderBy: wanted };
  return {
    where: [...filterConditions(filters), ...search.where],
    orderBy: [...search.orderBy, 'p.title', 'p.id'],
    values: { ...filters, ...term },
  };
}

/** A project is found by its own text, and by the names of its developer and its location. */
function searchProjects(term: FoldedTerm, sort: readonly string[]) {
  const match = termSql(term, { names: ['p.search_name'], texts: ['p.search_text'] });
  const contains = containsTerm(term);
  const locationContains = locationNameColumns(term).map(contains).join(' or ');
  // Three lists, since one condition with "or" would read every project.
  const where = `p.id in (
    select p.id from projects p where ${match.where}
    union all select p.id from projects p
      where p.published and p.developer_id in (select id from developers where ${contains('search_name')})
    union all select p.id from projects p
      where p.published and p.location_id in (select id from locations where ${locationContains}))`;
  return { where: [where], orderBy: rankOrder(match, sort) };
}
