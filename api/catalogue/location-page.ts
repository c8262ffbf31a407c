import { z } from 'zod';
import { readLocations } from '../../store/catalogue/read-locations.ts';
import type { RouteResponse, RouteRequest } from '../http/route.ts';
import { aliasCheck, plainText } from './query-values.ts';
import { locationRecord, offsetMeta } from './records.ts';
import { pageFields, TERM_NAMES, termFields, termOf } from './search-query.ts';

/** "Type-ahead over the whole location tree; omitting the term pages the tree." */
export const locationQuery = z
  .strictObject({
    ...pageFields,
    ...termFields,
    level: plainText.meta({ description: 'Only locations of this level, such as `community`.' }),
  })
  .superRefine(aliasCheck(TERM_NAMES));

export const locationPage = z.object({ data: z.array(locationRecord), meta: offsetMeta });

type Request = RouteRequest<unknown, z.output<typeof locationQuery>, unknown>;

export async function answerLocations({ query, app }: Request): Promise<RouteResponse> {
  const { limit, offset, level } = query;
  const { rows, total } = await readLocations(app.database, {
    ...{ level, limit, offset },
    term: termOf(query),
  });
  return { status: 200, body: { data: rows, meta: { limit, offset, total } } };
}
