import type { Route } from '../http/route.ts';
import { listLocations } from './locations.list.ts';

/** GET /public/locations/search (Search communities and areas) */
export const searchLocations: Route = {
  ...listLocations,
  path: '/public/locations/search',
  operationId: 'searchLocations',
  summary: 'Search communities and areas',
  description:
    'Type-ahead over the whole location tree, by English or Arabic name, forgiving small typing errors. Without a term it pages the tree.',
};
