import { readFilterValues, type FilterValues } from '../../store/catalogue/read-projects.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { defineRoute } from '../http/route.ts';
import { projectFilterLists, referenceRead } from '../catalogue/records.ts';

/** The body as bytes, built once for each version of the lists, since many locations make it large. */
const bodies = new WeakMap<Reference, Promise<Buffer>>();

/** GET /public/projects/filters (Filters response) */
export const projectFilters = defineRoute({
  ...referenceRead,
  path: '/public/projects/filters',
  operationId: 'readProjectFilters',
  summary: 'All look-up lists in one call',
  description:
    'Send `filters.location.values[].name` as `areaOfInterest` and `filters.propertyType.values[].name` as `propertyTypeInterest`.',
  response: { description: 'The lists', schema: projectFilterLists },
  async handle({ app, reference, setHeaders }) {
    const lists = await reference();
    const body = bodies.get(lists) ?? readFilterValues(app.catalogue).then(buildBody);
    bodies.set(lists, body);
    body.catch(() => bodies.delete(lists));
    setHeaders({ 'Content-Type': 'application/json; charset=utf-8' });
    return body;
  },
});

function buildBody({ developer, location, propertyType, status }: FilterValues): Buffer {
  const filters = {
    developer: { displayName: 'Developer', values: developer },
    location: { displayName: 'Location', values: location },
    propertyType: { displayName: 'Property type', values: propertyType },
    status: { displayName: 'Status', values: status },
  };
  return Buffer.from(JSON.stringify({ filters }));
}
