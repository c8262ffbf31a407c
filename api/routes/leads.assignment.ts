import { z } from 'zod';
import { retryAfterSeconds } from '../../domain/assignment/retry-after.ts';
import { readAssignment } from '../../store/assignment/read-assignment.ts';
import { agentSchema } from '../responses/lead-record.ts';
import { notFound } from '../errors.ts';
import { uuidParam, defineRoute } from '../http/route.ts';

const assignmentResponse = z.object({
  leadId: z.uuid(),
  status: z.enum(['assigned', 'pending', 'unassigned', 'pool']),
  agent: agentSchema.nullable(),
  createdAt: z.iso.datetime(),
  retryAfterSeconds: z.int().nullable(),
});

/** GET /public/leads/{id}/assignment (Assignment response). */
export const leadAssignment = defineRoute({
  method: 'GET',
  path: '/public/leads/{id}/assignment',
  operationId: 'readLeadAssignment',
  summary: 'Read who a lead was assigned to',
  description: 'Branch on `status`, not on whether `agent` is set.',
  tag: 'Leads',
  params: uuidParam,
  responses: { 200: { description: 'The assignment of the lead', schema: assignmentResponse } },
  async handle({ params, caller, app, now }) {
    const found = await readAssignment(app.database, params.id, caller);
    if (!found) throw notFound('This lead');
    const isPending = found.status === 'pending';
    return {
      status: 200,
      body: {
        leadId: found.leadId,
        status: found.status,
        agent: found.status === 'assigned' ? found.agent : null,
        createdAt: found.createdAt.toISOString(),
        retryAfterSeconds: isPending ? retryAfterSeconds(found.createdAt, now) : null,
      },
    };
  },
});
