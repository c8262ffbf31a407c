import { z } from 'zod';
import {
  projectSortKeys,
  readProjects,
  type ProjectFilters,
} from '../../store/catalogue/read-projects.ts';
import { defineRoute } from '../http/route.ts';
import {
  amount,
  day,
  direction,
  flag,
  optionalOffset,
  plainText,
  uuidList,
  MAX_WHOLE,
  valueList,
  whole,
  withAliases,
} from '../catalogue/query-values.ts';
import { projectRecord, referenceRead } from '../catalogue/records.ts';
import { ignoredKeys, parseSort } from '../catalogue/list-query.ts';

/** The filter parameters, which the list and the map share. */
const aliasFor = (name: string) =>
  uuidList.meta({ description: `Alias for \`${name}\`: send one of them.` });

export const filterFields = {
  q: plainText.meta({ description: 'Free text.' }),
  developerIds: uuidList.meta({
    description: 'Up to 200, separated by commas. Alias: `developerId`; send one of them.',
  }),
  developerId: aliasFor('developerIds'),
  locationIds: uuidList.meta({
    description:
      'Up to 200, separated by commas, with everything that lies under them. Alias: `locationId`; send one of them.',
  }),
  locationId: aliasFor('locationIds'),
  statusIds: uuidList.meta({
    description:
      'Up to 200 project statuses, separated by commas. Alias: `statusId`; send one of them.',
  }),
  statusId: aliasFor('statusIds'),
  propertyTypes: uuidList.meta({
    description:
      'Up to 200 uuids of property types, separated by commas. Alias: `propertyType`; send one of them.',
  }),
  propertyType: aliasFor('propertyTypes'),
  minPrice: amount,
  maxPrice: amount,
  deliveryFrom: day,
  deliveryTo: day,
  ownershipType: valueList,
  campaignType: valueList,
  stockAvailability: valueList,
};

export const FILTER_ALIASES = [
  ['developerIds', 'developerId'],
  ['locationIds', 'locationId'],
  ['statusIds', 'statusId'],
  ['propertyTypes', 'propertyType'],
];

type FilterQuery = z.output<z.ZodObject<typeof filterFields>>;

export function toFilters(query: FilterQuery): ProjectFilters {
  return {
    ...query,
    developerIds: query.developerIds ?? query.developerId,
    locationIds: query.locationIds ?? query.locationId,
    statusIds: query.statusIds ?? query.statusId,
    propertyTypes: query.propertyTypes ?? query.propertyType,
  };
}

export const simplified = flag.meta({ description: 'False for the full record; true by default.' });

const MAX_PAGE = 1_000_000;
const MAX_LIMIT = 100;

const query = withAliases(
  z.strictObject({
    ...filterFields,
    simplified,
    page: whole(1, MAX_PAGE, 1),
    limit: whole(1, MAX_WHOLE, 20).meta({
      description: `At most ${MAX_LIMIT} are served; \`meta.limit\` says how many.`,
    }),
    offset: optionalOffset.meta({ description: 'Wins over `page`.' }),
    sort: plainText.meta({
      description: `Keys separated by commas, such as \`startingPrice:desc,title\`: ${projectSortKeys.join(', ')}.`,
    }),
    order: direction.meta({ description: 'The direction of keys that have none of their own.' }),
  }),
  FILTER_ALIASES,
);

const page = z
  .object({
    data: z.array(projectRecord),
    meta: z
      .object({
        page: z.int(),
        limit: z.int(),
        total: z.int(),
        totalPages: z.int(),
        ignored: ignoredKeys,
      })
      .meta({ id: 'ProjectPageMeta' }),
  })
  .meta({ id: 'ProjectPage' });

/** GET /public/projects: all filters that are given must hold. */
export const listProjects = defineRoute({
  ...referenceRead,
  path: '/public/projects',
  operationId: 'listProjects',
  summary: 'List projects',
  description: 'Published projects, by title unless `sort` says otherwise.',
  query,
  response: { description: 'A page of projects', schema: page },
  async handle({ query: sent, app }) {
    const { q: term, page: pageNumber, sort, order, simplified: isSimplified = true } = sent;
    const limit = Math.min(sent.limit, MAX_LIMIT);
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
