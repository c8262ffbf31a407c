import { readDeveloper } from '../../store/catalogue/read-developers.ts';
import { notFound } from '../errors.ts';
import { noQuery, uuidParam, defineRoute } from '../http/route.ts';
import { developerRecord } from '../catalogue/records.ts';

/** GET /public/developers/{id}: a disabled developer is as if it were not there. */
export const readOneDeveloper = defineRoute({
  method: 'GET',
  path: '/public/developers/{id}',
  operationId: 'readDeveloper',
  summary: 'Read one developer',
  tag: 'Reference data',
  auth: 'bearer',
  params: uuidParam,
  query: noQuery,
  responses: { 200: { description: 'The developer', schema: developerRecord } },
  errors: ['NOT_FOUND'],
  cacheable: true,
  async handle({ params, app }) {
    const developer = await readDeveloper(app.database, params.id);
    if (!developer) throw notFound('This developer');
    return { status: 200, body: developer };
  },
});
