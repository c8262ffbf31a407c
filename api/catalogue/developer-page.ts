import { z } from 'zod';
import { developerSortKeys, readDevelopers } from '../../store/catalogue/read-developers.ts';
import type { RouteResponse, RouteRequest } from '../http/route.ts';
import { aliasCheck, direction, flag, plainText } from './query-values.ts';
import { developerRecord, offsetMeta } from './records.ts';
import { pageFields, TERM_NAMES, termFields, termOf } from './search-query.ts';
import { sortKeys } from './sort.ts';

/** List and search are one read: "with no term it behaves as the plain list". */
export const developerQuery = z
  .strictObject({
    ...pageFields,
    ...termFields,
    sort: plainText.meta({
      description: `Keys separated by commas, such as \`popular:desc,name:asc\` or \`-name\`: ${developerSortKeys.join(', ')}.`,
    }),
    order: direction.meta({ description: 'The direction of keys that have none of their own.' }),
    popular: flag.meta({ description: 'Only popular developers, or only the others.' }),
  })
  .superRefine(aliasCheck(TERM_NAMES));

export const developerPage = z.object({ data: z.array(developerRecord), meta: offsetMeta });

type Request = RouteRequest<unknown, z.output<typeof developerQuery>, unknown>;

export async function answerDevelopers({ query, app }: Request): Promise<RouteResponse> {
  const { limit, offset, sort, order, popular } = query;
  const term = termOf(query);
  const { rows, total } = await readDevelopers(app.database, {
    ...{ term, popular, limit, offset },
    sort: sortKeys(sort, order, developerSortKeys, term === undefined ? 'name' : undefined),
  });
  return { status: 200, body: { data: rows, meta: { limit, offset, total } } };
}
