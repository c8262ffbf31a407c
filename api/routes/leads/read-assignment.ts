import { z } from 'zod';
import { retryAfterSeconds } from '../../../domain/assignment/retry-after.ts';
import { agentViewSchema, eventData } from '../../../domain/webhooks/event-payloads.ts';
import { readAssignment } from '../../../store/assignment/read-assignment.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, namedObject, noQuery, uuidParam } from '../../http/route.ts';

const { leadId, status, createdAt } = eventData['lead.created'].shape;

const assignment = namedObject('Assignment', {
  leadId,
  status: status.meta({
    description:
      'State of the assignment. `pending`: ask again. `pool`: waits for an agent to claim it. `unassigned`: final.',
  }),
  agent: agentViewSchema.nullable().describe('The agent. Null unless `status` is `assigned`.'),
  createdAt,
  retryAfterSeconds: z
    .int()
    .nullable()
    .describe('Seconds to wait before the next read. Null unless `status` is `pending`.'),
});

export const leadAssignment = defineRoute({
  method: 'GET',
  path: '/public/leads/{id}/assignment',
  operationId: 'readLeadAssignment',
  summary: 'Read who a lead was assigned to',
  description: 'Branch on `status`, not on whether `agent` is set.',
  tag: 'Leads',
  params: uuidParam,
  query: noQuery,
  response: { description: 'The assignment of the lead', schema: assignment },
  async handle({ params, caller, app, now }) {
    const found = await readAssignment(app.database, params.id, caller);
    if (!found) throw notFound('This lead');
    const { leadId, status, agent, createdAt } = found;
    return {
      leadId,
      status,
      agent: status === 'assigned' ? agent : null,
      createdAt,
      retryAfterSeconds: retryAfterSeconds(found, now),
    };
  },
});
