import { z } from 'zod';
import { retryAfterSeconds } from '../../domain/assignment/retry-after.ts';
import { readAssignment } from '../../store/assignment/read-assignment.ts';
import { agentSchema } from '../responses/lead-record.ts';
import { notFound } from '../errors.ts';
import { uuidParam, defineRoute } from '../http/route.ts';

const assignmentResponse = z
  .object({
    leadId: z.uuid(),
    status: z.enum(['assigned', 'pending', 'unassigned', 'pool']),
    agent: agentSchema.nullable(),
    createdAt: z.iso.datetime(),
    retryAfterSeconds: z.int().nullable(),
  })
  .meta({ id: 'Assignment' });

/** GET /public/leads/{id}/assignment (Assignment response). */
export const leadAssignment = defineRoute({
  method: 'GET',
  path: '/public/leads/{id}/assignment',
  operationId: 'readLeadAssignment',
  summary: 'Read who a lead was assigned to',
  description: 'Branch on `status`, not on whether `agent` is set.',
  tag: 'Leads',
  params: uuidParam,
  response: { description: 'The assignment of the lead', schema: assignmentResponse },
  async handle({ params, caller, app, now }) {
    const found = await readAssignment(app.database, params.id, caller);
    if (!found) throw notFound('This lead');
    const { leadId, status, agent, createdAt } = found;
    return {
      leadId,
      status,
      agent: status === 'assigned' ? agent : null,
      createdAt,
      retryAfterSeconds: status === 'pending' ? retryAfterSeconds(found, now) : null,
    };
  },
});
