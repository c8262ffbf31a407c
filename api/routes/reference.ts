import type { Route } from '../http/route.ts';
import { listDevelopers } from './developers.list.ts';
import { readOneDeveloper } from './developers.read.ts';
import { searchDevelopers } from './developers.search.ts';
import { listLocations } from './locations.list.ts';
import { readOneLocation } from './locations.read.ts';
import { searchLocations } from './locations.search.ts';
import { listProjectStatuses } from './project-statuses.ts';
import { projectFilters } from './projects.filters.ts';
import { listProjects } from './projects.list.ts';
import { mapProjects } from './projects.map.ts';
import { readOneProject } from './projects.read.ts';

/** The reference reads. Fixed paths come before those with an id in their place. */
export const referenceRoutes: readonly Route[] = [
  listDevelopers,
  searchDevelopers,
  readOneDeveloper,
  listLocations,
  searchLocations,
  readOneLocation,
  listProjects,
  projectFilters,
  mapProjects,
  readOneProject,
  listProjectStatuses,
];
