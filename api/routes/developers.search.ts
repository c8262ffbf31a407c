import type { Route } from '../http/route.ts';
import { listDevelopers } from './developers.list.ts';

/** GET /public/developers/search */
export const searchDevelopers: Route = {
  ...listDevelopers,
  path: '/public/developers/search',
  operationId: 'searchDevelopers',
  summary: 'Search developers',
  description:
    'Matches name, slug, description and id, forgiving small typing errors. An exact name comes first, then names that begin with the term, then the others by similarity.',
};
