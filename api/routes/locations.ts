import { readLocation, readLocations } from '../../store/catalogue/developers-and-locations.ts';
import {
  pageFields,
  plainText,
  searchTerm,
  TERM_ALIASES,
  termFields,
} from '../catalogue/query-parameters.ts';
import { locationRecord, offsetMeta, pageOf, referenceRead } from '../catalogue/records.ts';
import { notFound } from '../errors.ts';
import { defineQuery, defineRoute, noQuery, type Route, uuidParam } from '../http/route.ts';

const query = defineQuery(
  {
    ...pageFields,
    ...termFields,
    level: plainText.describe('Only locations of this level.'),
  },
  TERM_ALIASES,
);

const page = pageOf('LocationPage', locationRecord, offsetMeta);

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

export const searchLocations: Route = {
  ...listLocations,
  path: '/public/locations/search',
  operationId: 'searchLocations',
  summary: 'Search communities and areas',
  description:
    'Type-ahead over the whole location tree, by English or Arabic name, forgiving small typing errors. Without a term it pages the tree.',
};

export const readOneLocation = defineRoute({
  ...referenceRead,
  path: '/public/locations/{id}',
  operationId: 'readLocation',
  summary: 'Read one location',
  params: uuidParam,
  query: noQuery,
  response: { description: 'The location', schema: locationRecord },
  async handle({ params, app }) {
    const location = await readLocation(app.catalogue, params.id);
    if (!location) throw notFound('This location');
    return location;
  },
});
