import { defineRoute } from '../http/route.ts';
import { answerLocations, locationPage, locationQuery } from '../catalogue/location-page.ts';

/** GET /public/locations/search (Search communities and areas) */
export const searchLocations = defineRoute({
  method: 'GET',
  path: '/public/locations/search',
  operationId: 'searchLocations',
  summary: 'Search communities and areas',
  description:
    'Type-ahead over the whole location tree, by English or Arabic name, forgiving small typing errors. Without a term it pages the tree.',
  tag: 'Reference data',
  auth: 'bearer',
  query: locationQuery,
  responses: { 200: { description: 'A page of locations', schema: locationPage } },
  cacheable: true,
  handle: answerLocations,
});
