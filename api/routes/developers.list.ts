import { defineRoute } from '../http/route.ts';
import { answerDevelopers, developerPage, developerQuery } from '../catalogue/developer-page.ts';

/** GET /public/developers */
export const listDevelopers = defineRoute({
  method: 'GET',
  path: '/public/developers',
  operationId: 'listDevelopers',
  summary: 'List developers',
  description: 'Enabled developers, by name unless `sort` says otherwise.',
  tag: 'Reference data',
  auth: 'bearer',
  query: developerQuery,
  responses: { 200: { description: 'A page of developers', schema: developerPage } },
  cacheable: true,
  handle: answerDevelopers,
});
