import type { Route } from '../http/route.ts';
import { token } from './token.ts';
import { createLead } from './leads/create-lead.ts';
import { leadAssignment } from './leads/read-assignment.ts';
import { patchLead, updateLead } from './leads/update-lead.ts';
import { responseTime } from './leads/record-response-time.ts';
import { listEvents } from './events.ts';
import { dncrCheck } from './dncr.ts';
import { listDevelopers, readOneDeveloper, searchDevelopers } from './developers.ts';
import { listLocations, readOneLocation, searchLocations } from './locations.ts';
import {
  listProjects,
  listProjectStatuses,
  mapProjects,
  projectFilters,
  readOneProject,
} from './projects.ts';

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
