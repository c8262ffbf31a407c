import { defineRoute } from '../http/route.ts';
import { answerLocations, locationPage, locationQuery } from '../catalogue/location-page.ts';

/** GET /public/locations */
export const listLocations = defineRoute({
  method: 'GET',
  path: '/public/locations',
  operationId: 'listLocations',
  summary: 'List communities and areas',
  description: 'Pages the location tree; a term searches it.',
  tag: 'Reference data',
  auth: 'bearer',
  query: locationQuery,
  responses: { 200: { description: 'A page of locations', schema: locationPage } },
  cacheable: true,
  handle: answerLocations,
});
