import type { Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import type { Page } from '../db/page.ts';
import { statement, statementVariants, type NoParams } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';
import {
  containsTerm,
  locationNameColumns,
  orderTerms,
  rankOrder,
  readCountedPage,
  readWithTerm,
  termSql,
  type Catalogue,
  type Counted,
  type FoldedTerm,
  type SortKey,
} from './search.ts';

/** Outer joins, though no row can be missing: Postgres leaves out those of which nothing is asked. */
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

interface ProjectQuery extends ProjectFilters {
  term?: string | undefined;
  isSimplified: boolean;
  sort: readonly SortKey<ProjectSortKey>[];
  limit: number;
  offset: number;
}

type ProjectRow = Record<string, unknown>;

type CompactProject = Pick<TableRow<'projects'>, 'id' | 'title' | 'slug' | 'brochure'> & {
  campaignType: string | null;
  propertyTypes: string[];
  startingPrice: string | null;
  deliveryDate: Date | null;
  paymentPlans: string[];
  developer: object | null;
  location: object;
  image: object;
  status: object;
};

type FullProject = CompactProject &
  Pick<TableRow<'projects'>, 'description' | 'amenities' | 'bedrooms'> &
  Pick<TableRow<'projects'>, 'images'> & {
    latitude: number | null;
    longitude: number | null;
    ownershipType: string | null;
    stockAvailability: string | null;
    createdAt: Date;
    updatedAt: Date;
  };

export function readProjects(database: Catalogue, query: ProjectQuery): Promise<Page<ProjectRow>> {
  const { limit, offset, isSimplified, sort } = query;
  return readWithTerm(database, { of: 'projects', ...query }, (sql, term) =>
    readCountedPage(sql, {
      variants: searchProjects,
      ...findProjects(filterConditions(query), sort, term),
      values: { ...query, ...term },
      select: isSimplified ? COMPACT : FULL,
      joins: JOINS,
      limit,
      offset,
      isRanked: term !== null,
    }),
  );
}

const searchProjects = statementVariants<object, Counted<ProjectRow>>('search_projects');

export function readProject(
  sql: Sql,
  id: string,
  isSimplified: boolean,
): Promise<ProjectRow | null> {
  return sql.first(isSimplified ? READ_COMPACT_PROJECT : READ_PROJECT, { id });
}

const projectSql = (columns: string) =>
  `select ${columns} from projects p ${JOINS} where p.id = :id and p.published`;

const READ_PROJECT = statement<{ id: string }, FullProject>('read_project')`${projectSql(FULL)}`;
const READ_COMPACT_PROJECT = statement<{ id: string }, CompactProject>(
  'read_compact_project',
)`${projectSql(COMPACT)}`;

interface PinQuery extends ProjectFilters {
  term?: string | undefined;
  box: Box;
}

export async function readPins(database: Catalogue, query: PinQuery): Promise<ProjectRow[]> {
  const inBox = boxCondition(query.box);
  const conditions = [...filterConditions(query), inBox.where];
  const { rows } = await readWithTerm(database, { of: 'pins', ...query }, async (sql, term) => {
    const { from, where, orderBy } = findProjects(conditions, [], term);
    const search = searchPins(
      `select ${PIN} from ${from} ${JOINS} where ${where.join(' and ')} order by ${orderBy.join(', ')}`,
    );
    const pins = await sql.all(search, { ...query, ...term, ...inBox.values });
    return { rows: pins, total: pins.length };
  });
  return rows;
}

const searchPins = statementVariants<object, ProjectRow>('search_pins');

function findProjects(
  conditions: readonly string[],
  sort: readonly SortKey<ProjectSortKey>[],
  term: FoldedTerm | null,
) {
  const wanted = orderTerms(sort, SORT_COLUMNS);
  const plain = { from: 'projects p', where: [], orderBy: wanted };
  const { from, where, orderBy } = term ? matchProjects(term, conditions, wanted) : plain;
  return { from, where: [...conditions, ...where], orderBy: [...orderBy, 'p.title', 'p.id'] };
}

/** A project is found by its own text, and by the names of its developer and its location. */
function matchProjects(term: FoldedTerm, conditions: readonly string[], sort: readonly string[]) {
  const columns = { names: ['p.search_name'], texts: ['p.search_text'] };
  const match = termSql(term, { from: 'projects p', conditions, ...columns });
  const search = { from: match.from, orderBy: rankOrder(match, sort) };
  if (term.allowsTypos) return { ...search, where: [`(${match.where})`] };
  const contains = containsTerm(term);
  const locationContains = locationNameColumns(term).map(contains).join(' or ');
  // Three lists, since one condition with "or" would read every project.
  const where = `p.id in (
    select p.id from projects p where ${match.where}
    union all select p.id from projects p
      where p.published and p.developer_id in (select id from developers where ${contains('search_name')})
    union all select p.id from projects p
      where p.published and p.location_id in (select id from locations where ${locationContains}))`;
  return { ...search, where: [where] };
}

/** The filters that the list and the map share, as conditions on their parameter; all that are given must hold. */
const CONDITIONS_SQL = {
  developerIds: `p.developer_id = any (:developerIds::uuid[])`,
  // What lies under a location counts as in it.
  locationIds: `p.location_id in (select id from locations
    where id = any (:locationIds::uuid[]) or ancestor_ids && :locationIds::uuid[])`,
  statusIds: `p.status_id = any (:statusIds::uuid[])`,
  propertyTypes: `p.property_type_ids && :propertyTypes::uuid[]`,
  minPrice: `p.starting_price >= :minPrice::numeric`,
  maxPrice: `p.starting_price <= :maxPrice::numeric`,
  deliveryFrom: `p.delivery_date >= :deliveryFrom::date`,
  deliveryTo: `p.delivery_date <= :deliveryTo::date`,
  // Their values come in lower case.
  ownershipType: `lower(p.ownership_type) = any (:ownershipType::text[])`,
  campaignType: `lower(p.campaign_type) = any (:campaignType::text[])`,
  stockAvailability: `lower(p.stock_availability) = any (:stockAvailability::text[])`,
};

type FilterName = keyof typeof CONDITIONS_SQL;
export type ProjectFilters = Partial<Record<FilterName, string | readonly string[] | undefined>>;

function filterConditions(filters: ProjectFilters): string[] {
  const names = Object.keys(CONDITIONS_SQL) as FilterName[];
  const given = names.filter((name) => filters[name] !== undefined);
  return ['p.published', ...given.map((name) => CONDITIONS_SQL[name])];
}

interface Box {
  north: number;
  south: number;
  east: number;
  west: number;
}

const FULL_TURN = 360;

/** The points in a box, its edges included. With `west` beyond `east` it crosses the date line. */
function boxCondition(box: Box): { where: string; values: Box } {
  const latitude = 'p.latitude between :south::float8 and :north::float8';
  if (box.east - box.west >= FULL_TURN)
    return { where: `${latitude} and p.longitude is not null`, values: box };
  const [west, east] = [normaliseLongitude(box.west), normaliseLongitude(box.east)];
  const operator = west <= east ? 'and' : 'or';
  const longitude = `(p.longitude >= :west::float8 ${operator} p.longitude <= :east::float8)`;
  return { where: `${latitude} and ${longitude}`, values: { ...box, west, east } };
}

/** A map that was dragged round the globe counts on beyond 180 degrees. */
function normaliseLongitude(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % FULL_TURN) + FULL_TURN) % FULL_TURN) - 180;
}

export type FilterValues = Awaited<ReturnType<typeof readLists>>;

/** All lists of the project filters, whole and of one moment. */
export function readFilterValues(database: Database): Promise<FilterValues> {
  return database.transaction(readLists, SNAPSHOT);
}

async function readLists(sql: Sql) {
  return {
    developer: await sql.all(READ_DEVELOPER_NAMES, {}),
    location: await sql.all(READ_LOCATION_NAMES, {}),
    propertyType: await sql.all(READ_PROPERTY_TYPE_NAMES, {}),
    status: await readProjectStatuses(sql),
  };
}

const READ_DEVELOPER_NAMES = statement<NoParams, Entry>('read_developer_names')`
select id, name from developers where enabled order by name, id`;

const READ_LOCATION_NAMES = statement<NoParams, Entry & { fullName: string }>(
  'read_location_names',
)`
select id, name, path as "fullName" from locations where enabled order by path, id`;

const READ_PROPERTY_TYPE_NAMES = statement<NoParams, Entry>('read_property_type_names')`
select id, name from list_entries where list = 'propertyType' and enabled order by key`;

type ProjectStatus = Entry & { color: string | null };

export function readProjectStatuses(sql: Sql): Promise<ProjectStatus[]> {
  return sql.all(READ_PROJECT_STATUSES, {});
}

const READ_PROJECT_STATUSES = statement<NoParams, ProjectStatus>('read_project_statuses')`
select id, name, attributes ->> 'color' as color from list_entries
where list = 'projectStatus' and enabled order by key`;
