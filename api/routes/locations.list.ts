import { z } from 'zod';
import { readLocations } from '../../store/catalogue/read-locations.ts';
import { pageFields, searchTerm, TERM_ALIASES, termFields } from '../catalogue/list-query.ts';
import { plainText, withAliases } from '../catalogue/query-values.ts';
import { locationRecord, offsetMeta, referenceRead } from '../catalogue/records.ts';
import { defineRoute } from '../http/route.ts';

const query = withAliases(
  z.strictObject({
    ...pageFields,
    ...termFields,
    level: plainText.meta({
      description: 'Only locations of this level.',
    }),
  }),
  TERM_ALIASES,
);

const page = z
  .object({ data: z.array(locationRecord), meta: offsetMeta })
  .meta({ id: 'LocationPage' });

/** GET /public/locations: "omitting the term pages the tree". */
export const listLocations = defineRoute({
  ...referenceRead,
  path: '/public/locations',
  operationId: 'listLocations',
  summary: 'List communities and areas',
  description: 'Pages the location tree; a term searches it.',
  query,
  response: { description: 'A page of locations', schema: page },
  async handle({ query: sent, app }) {
    const { limit, offset, level } = sent;
    const term = searchTerm(sent);
    const { rows, total } = await readLocations(app.catalogue, { term, level, limit, offset });
    return { data: rows, meta: { limit, offset, total } };
  },
});
