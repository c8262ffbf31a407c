import {
  developerSortKeys,
  readDeveloper,
  readDevelopers,
} from '../../store/catalogue/developers-and-locations.ts';
import {
  direction,
  flag,
  ignoredKeys,
  pageFields,
  parseSort,
  plainText,
  searchTerm,
  TERM_ALIASES,
  termFields,
} from '../catalogue/query-parameters.ts';
import { developerRecord, offsetMeta, pageOf, referenceRead } from '../catalogue/records.ts';
import { notFound } from '../errors.ts';
import { defineQuery, defineRoute, noQuery, type Route, uuidParam } from '../http/route.ts';

const query = defineQuery(
  {
    ...pageFields,
    ...termFields,
    sort: plainText.meta({
      description: `Keys separated by commas, such as \`popular:desc,name:asc\` or \`-name\`: ${developerSortKeys.join(', ')}.`,
    }),
    order: direction.describe('The direction of keys that have none of their own.'),
    popular: flag.describe('Only popular developers, or only the others.'),
  },
  TERM_ALIASES,
);

const sortedPageMeta = offsetMeta.extend({ ignored: ignoredKeys }).meta({ id: 'SortedPageMeta' });

const page = pageOf('DeveloperPage', developerRecord, sortedPageMeta);

/** GET /public/developers: "with no term it behaves as the plain list". */
export const listDevelopers = defineRoute({
  ...referenceRead,
  path: '/public/developers',
  operationId: 'listDevelopers',
  summary: 'List developers',
  description: 'Enabled developers, by name unless `sort` says otherwise.',
  query,
  response: { description: 'A page of developers', schema: page },
  async handle({ query: sent, app }) {
    const { limit, offset, sort, order, popular } = sent;
    const term = searchTerm(sent);
    const byDefault = term === undefined ? 'name' : undefined;
    const { keys, ...ignored } = parseSort(sort, order, developerSortKeys, byDefault);
    const { rows, total } = await readDevelopers(app.catalogue, {
      term,
      popular,
      limit,
      offset,
      sort: keys,
    });
    return { data: rows, meta: { limit, offset, total, ...ignored } };
  },
});

export const searchDevelopers: Route = {
  ...listDevelopers,
  path: '/public/developers/search',
  operationId: 'searchDevelopers',
  summary: 'Search developers',
  description:
    'Matches name, slug, description and id, forgiving small typing errors. An exact name comes first, then names that begin with the term, then the others by similarity.',
};

export const readOneDeveloper = defineRoute({
  ...referenceRead,
  path: '/public/developers/{id}',
  operationId: 'readDeveloper',
  summary: 'Read one developer',
  params: uuidParam,
  query: noQuery,
  response: { description: 'The developer', schema: developerRecord },
  async handle({ params, app }) {
    const developer = await readDeveloper(app.catalogue, params.id);
    if (!developer) throw notFound('This developer');
    return developer;
  },
});
