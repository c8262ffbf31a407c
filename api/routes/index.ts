import type { Route } from '../http/route.ts';
import { token } from './oauth2.token.ts';
import { createLead } from './leads.create.ts';
import { patchLead, updateLead } from './leads.update.ts';
import { responseTime } from './leads.response-time.ts';
import { leadAssignment } from './leads.assignment.ts';
import { listEvents } from './events.list.ts';
import { dncrCheck } from './dncr.check.ts';
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

/** In the order in which the document shows them; fixed paths come before those with an id in their place. */
export const routes: readonly Route[] = [
  token,
  createLead,
  updateLead,
  patchLead,
  leadAssignment,
  responseTime,
  listEvents,
  dncrCheck,
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
