import type { Route } from '../http/route.ts';
import { token } from './oauth2.token.ts';
import { createLead } from './leads.create.ts';
import { patchLead, updateLead } from './leads.update.ts';
import { responseTime } from './leads.response-time.ts';
import { leadAssignment } from './leads.assignment.ts';
import { dncrCheck } from './dncr.check.ts';
import { referenceRoutes } from './reference.ts';

/** Every endpoint of the interface, in the order in which the document shows them. */
export const routes: readonly Route[] = [
  token,
  createLead,
  updateLead,
  patchLead,
  leadAssignment,
  responseTime,
  dncrCheck,
  ...referenceRoutes,
];
