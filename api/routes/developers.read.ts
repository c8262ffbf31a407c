import { readDeveloper } from '../../store/catalogue/read-developers.ts';
import { notFound } from '../errors.ts';
import { uuidParam, defineRoute } from '../http/route.ts';
import { developerRecord, referenceRead } from '../catalogue/records.ts';

/** GET /public/developers/{id}: a disabled developer is as if it were not there. */
export const readOneDeveloper = defineRoute({
  ...referenceRead,
  path: '/public/developers/{id}',
  operationId: 'readDeveloper',
  summary: 'Read one developer',
  params: uuidParam,
  response: { description: 'The developer', schema: developerRecord },
  async handle({ params, app }) {
    const developer = await readDeveloper(app.catalogue, params.id);
    if (!developer) throw notFound('This developer');
    return developer;
  },
});
