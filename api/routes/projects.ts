import { z } from 'zod';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import {
  type FilterValues,
  type ProjectFilters,
  projectSortKeys,
  readFilterValues,
  readPins,
  readProject,
  readProjects,
  readProjectStatuses,
} from '../../store/catalogue/read-projects.ts';
import {
  amount,
  atLeast,
  day,
  direction,
  flag,
  ignoredKeys,
  optionalOffset,
  parseSort,
  plainText,
  uuidList,
  valueList,
} from '../catalogue/query-parameters.ts';
import {
  offsetMeta,
  pageOf,
  pin,
  projectFilterLists,
  projectRecord,
  referenceRead,
  statusRecord,
} from '../catalogue/records.ts';
import { notFound } from '../errors.ts';
import { defineQuery, defineRoute, namedObject, noQuery, uuidParam } from '../http/route.ts';

const aliasFor = (name: string) => uuidList.describe(`Alias for \`${name}\`: send one of them.`);

const filterFields = {
  q: plainText.describe('Searches the project and the names of its developer and location.'),
  developerIds: uuidList.describe(
    'Up to 200, separated by commas. Alias: `developerId`; send one of them.',
  ),
  developerId: aliasFor('developerIds'),
  locationIds: uuidList.describe(
    'Up to 200, separated by commas, with everything that lies under them. Alias: `locationId`; send one of them.',
  ),
  locationId: aliasFor('locationIds'),
  statusIds: uuidList.describe(
    'Up to 200 project statuses, separated by commas. Alias: `statusId`; send one of them.',
  ),
  statusId: aliasFor('statusIds'),
  propertyTypes: uuidList.describe(
    'Up to 200 uuids of property types, separated by commas. Alias: `propertyType`; send one of them.',
  ),
  propertyType: aliasFor('propertyTypes'),
  minPrice: amount.describe('Lowest starting price.'),
  maxPrice: amount.describe('Highest starting price.'),
  deliveryFrom: day.describe('First day of handover; only the day of a date-time counts.'),
  deliveryTo: day.describe('Last day of handover; only the day of a date-time counts.'),
  ownershipType: valueList.describe('Kinds of ownership, separated by commas.'),
  campaignType: valueList.describe('Kinds of campaign, separated by commas.'),
  stockAvailability: valueList.describe('Availabilities, separated by commas.'),
};

const FILTER_ALIASES = [
  ['developerIds', 'developerId'],
  ['locationIds', 'locationId'],
  ['statusIds', 'statusId'],
  ['propertyTypes', 'propertyType'],
];

type FilterQuery = z.output<z.ZodObject<typeof filterFields>>;

function toFilters(query: FilterQuery): ProjectFilters {
  return {
    ...query,
    developerIds: query.developerIds ?? query.developerId,
    locationIds: query.locationIds ?? query.locationId,
    statusIds: query.statusIds ?? query.statusId,
    propertyTypes: query.propertyTypes ?? query.propertyType,
  };
}

const simplified = flag.describe('False for the full record; true by default.');

const MAX_PAGE = 1_000_000;
const MAX_LIMIT = 100;

const query = defineQuery(
  {
    ...filterFields,
    simplified,
    page: atLeast(1, MAX_PAGE, 1).describe('Number of the page, from 1.'),
    limit: atLeast(1, MAX_LIMIT, 20).describe(
      `At most ${MAX_LIMIT} are served; \`meta.limit\` says how many.`,
    ),
    offset: optionalOffset.describe('Wins over `page`.'),
    sort: plainText.meta({
      description: `Keys separated by commas, such as \`startingPrice:desc,title\`: ${projectSortKeys.join(', ')}.`,
    }),
    order: direction.describe('The direction of keys that have none of their own.'),
  },
  FILTER_ALIASES,
);

const pageMeta = namedObject('ProjectPageMeta', {
  page: z.int().describe('Number of the page, from 1.'),
  limit: offsetMeta.shape.limit,
  total: offsetMeta.shape.total,
  totalPages: z.int().describe('Number of all pages.'),
  ignored: ignoredKeys,
});

const page = pageOf('ProjectPage', projectRecord, pageMeta);

export const listProjects = defineRoute({
  ...referenceRead,
  path: '/public/projects',
  operationId: 'listProjects',
  summary: 'List projects',
  description: 'Published projects, by title unless `sort` says otherwise.',
  query,
  response: { description: 'A page of projects', schema: page },
  async handle({ query: sent, app }) {
    const { q: term, page: pageNumber, limit, sort, order, simplified: isSimplified = true } = sent;
    const offset = sent.offset ?? (pageNumber - 1) * limit;
    const byDefault = term === undefined ? 'title' : undefined;
    const { keys, ...ignored } = parseSort(sort, order, projectSortKeys, byDefault);
    const { rows, total } = await readProjects(app.catalogue, {
      ...toFilters(sent),
      term,
      isSimplified,
      limit,
      offset,
      sort: keys,
    });
    const [page, totalPages] = [Math.floor(offset / limit) + 1, Math.ceil(total / limit)];
    return { data: rows, meta: { page, limit, total, totalPages, ...ignored } };
  },
});

/** A blank value, which would be 0, is NaN. */
const bound = z
  .string()
  .optional()
  .transform((text = '') => (text.trim() === '' ? Number.NaN : Number(text)))
  .meta({ description: 'Degrees. The answer is empty when any bound is not a finite number.' });

const mapQuery = defineQuery(
  { ...filterFields, north: bound, south: bound, east: bound, west: bound },
  FILTER_ALIASES,
);

const pins = namedObject('ProjectPins', {
  data: z.array(pin).describe('One pin per project in the box.'),
});

/** GET /public/projects/map (Projects in a bounding box) */
export const mapProjects = defineRoute({
  ...referenceRead,
  path: '/public/projects/map',
  operationId: 'mapProjects',
  summary: 'Projects in a bounding box',
  description: 'Pins of the published projects in a viewport. A box may cross the date line.',
  query: mapQuery,
  response: { description: 'The pins', schema: pins },
  async handle({ query: sent, app }) {
    const { north, south, east, west, ...filters } = sent;
    const box = { north, south, east, west };
    if (!Object.values(box).every(Number.isFinite)) return { data: [] };
    return { data: await readPins(app.catalogue, { ...toFilters(filters), term: filters.q, box }) };
  },
});

export const readOneProject = defineRoute({
  ...referenceRead,
  path: '/public/projects/{id}',
  operationId: 'readProject',
  summary: 'Read one project',
  params: uuidParam,
  query: defineQuery({ simplified }),
  response: { description: 'The project', schema: projectRecord },
  async handle({ params, query, app }) {
    const project = await readProject(app.catalogue, params.id, query.simplified ?? true);
    if (!project) throw notFound('This project');
    return project;
  },
});

/** Bytes, built once for each version of the lists, since many locations make them large. */
const bodies = new WeakMap<Reference, Promise<Buffer>>();

export const projectFilters = defineRoute({
  ...referenceRead,
  path: '/public/projects/filters',
  operationId: 'readProjectFilters',
  summary: 'All look-up lists in one call',
  description:
    'Send `filters.location.values[].name` as `areaOfInterest` and `filters.propertyType.values[].name` as `propertyTypeInterest`.',
  query: noQuery,
  response: { description: 'The lists', schema: projectFilterLists },
  async handle({ app, caller, http }) {
    const lists = await app.reference.atLeast(caller.referenceVersion);
    const body = bodies.get(lists) ?? readFilterValues(app.catalogue).then(buildBody);
    bodies.set(lists, body);
    body.catch(() => bodies.delete(lists));
    http.set('Content-Type', 'application/json; charset=utf-8');
    return body;
  },
});

function buildBody({ developer, location, propertyType, status }: FilterValues): Buffer {
  const filters = {
    developer: { displayName: 'Developer', values: developer },
    location: { displayName: 'Location', values: location },
    propertyType: { displayName: 'Property type', values: propertyType },
    status: { displayName: 'Status', values: status },
  };
  return Buffer.from(JSON.stringify({ filters }));
}

export const listProjectStatuses = defineRoute({
  ...referenceRead,
  path: '/public/project-statuses',
  operationId: 'listProjectStatuses',
  summary: 'List project statuses',
  query: noQuery,
  response: { description: 'All statuses', schema: z.array(statusRecord) },
  handle: ({ app }) => readProjectStatuses(app.catalogue),
});
