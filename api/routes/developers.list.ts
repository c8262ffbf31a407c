import { z } from 'zod';
import { developerSortKeys, readDevelopers } from '../../store/catalogue/read-developers.ts';
import {
  ignoredKeys,
  pageFields,
  parseSort,
  searchTerm,
  TERM_ALIASES,
  termFields,
} from '../catalogue/list-query.ts';
import { direction, flag, plainText, withAliases } from '../catalogue/query-values.ts';
import { developerRecord, offsetMeta, referenceRead } from '../catalogue/records.ts';
import { defineRoute } from '../http/route.ts';

const query = withAliases(
  z.strictObject({
    ...pageFields,
    ...termFields,
    sort: plainText.meta({
      description: `Keys separated by commas, such as \`popular:desc,name:asc\` or \`-name\`: ${developerSortKeys.join(', ')}.`,
    }),
    order: direction.meta({ description: 'The direction of keys that have none of their own.' }),
    popular: flag.meta({ description: 'Only popular developers, or only the others.' }),
  }),
  TERM_ALIASES,
);

const sortedPageMeta = offsetMeta.extend({ ignored: ignoredKeys }).meta({ id: 'SortedPageMeta' });

const page = z
  .object({ data: z.array(developerRecord), meta: sortedPageMeta })
  .meta({ id: 'DeveloperPage' });

/** GET /public/developers: list and search are one read, "with no term it behaves as the plain list". */
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
