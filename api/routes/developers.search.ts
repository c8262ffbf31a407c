import { defineRoute } from '../http/route.ts';
import { answerDevelopers, developerPage, developerQuery } from '../catalogue/developer-page.ts';

/** GET /public/developers/search */
export const searchDevelopers = defineRoute({
  method: 'GET',
  path: '/public/developers/search',
  operationId: 'searchDevelopers',
  summary: 'Search developers',
  description:
    'Matches name, slug, description and id, forgiving small typing errors. An exact name comes first, then names that begin with the term, then the others by similarity.',
  tag: 'Reference data',
  auth: 'bearer',
  query: developerQuery,
  responses: { 200: { description: 'A page of developers', schema: developerPage } },
  cacheable: true,
  handle: answerDevelopers,
});
