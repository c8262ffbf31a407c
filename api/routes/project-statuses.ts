import { z } from 'zod';
import { readProjectStatuses } from '../../store/catalogue/read-projects.ts';
import { defineRoute } from '../http/route.ts';
import { referenceRead, statusRecord } from '../catalogue/records.ts';

/** GET /public/project-statuses: a bare array. */
export const listProjectStatuses = defineRoute({
  ...referenceRead,
  path: '/public/project-statuses',
  operationId: 'listProjectStatuses',
  summary: 'List project statuses',
  response: { description: 'All statuses', schema: z.array(statusRecord) },
  handle: ({ app }) => readProjectStatuses(app.catalogue),
});
