import { z } from 'zod';
import { readProjectStatuses } from '../../store/catalogue/read-filters.ts';
import { noQuery, defineRoute } from '../http/route.ts';
import { statusRecord } from '../catalogue/records.ts';

/** GET /public/project-statuses: a bare array. */
export const listProjectStatuses = defineRoute({
  method: 'GET',
  path: '/public/project-statuses',
  operationId: 'listProjectStatuses',
  summary: 'List project statuses',
  tag: 'Reference data',
  auth: 'bearer',
  query: noQuery,
  responses: { 200: { description: 'All statuses', schema: z.array(statusRecord) } },
  cacheable: true,
  async handle({ app }) {
    return { status: 200, body: await readProjectStatuses(app.database) };
  },
});
