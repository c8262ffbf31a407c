import { readLocation } from '../../store/catalogue/read-locations.ts';
import { notFound } from '../errors.ts';
import { uuidParam, defineRoute } from '../http/route.ts';
import { locationRecord, referenceRead } from '../catalogue/records.ts';

/** GET /public/locations/{id} */
export const readOneLocation = defineRoute({
  ...referenceRead,
  path: '/public/locations/{id}',
  operationId: 'readLocation',
  summary: 'Read one location',
  params: uuidParam,
  response: { description: 'The location', schema: locationRecord },
  async handle({ params, app }) {
    const location = await readLocation(app.catalogue, params.id);
    if (!location) throw notFound('This location');
    return location;
  },
});
