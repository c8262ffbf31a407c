import { z } from 'zod';
import { recordResponse } from '../../store/assignment/record-response.ts';
import { notFound } from '../errors.ts';
import { uuidParam, defineRoute } from '../http/route.ts';

const MAX_SECONDS = 2_592_000;

const body = z
  .strictObject({
    seconds: z.int().min(0).max(MAX_SECONDS).meta({
      description: 'Whole seconds from the customer’s first contact to the agent’s response.',
    }),
  })
  .meta({ id: 'ResponseTime' });

const recordedResponse = z
  .object({
    leadId: z.uuid(),
    agentResponseSeconds: z.int(),
    agentRespondedAt: z.iso.datetime(),
  })
  .meta({ id: 'RecordedResponseTime' });

/** POST /public/leads/{id}/response-time: the last write wins; a running follow-up clock stops. */
export const responseTime = defineRoute({
  method: 'POST',
  path: '/public/leads/{id}/response-time',
  operationId: 'recordResponseTime',
  summary: 'Record how long the assigned agent took to respond',
  tag: 'Leads',
  params: uuidParam,
  body,
  bodyExample: { seconds: 420 },
  response: { description: 'The recorded response', schema: recordedResponse },
  async handle({ params, body: { seconds }, caller, app, now }) {
    const recorded = await recordResponse(app.database, {
      leadId: params.id,
      seconds,
      at: now,
      reader: caller,
      readerName: caller.name,
      newId: app.newId,
    });
    if (!recorded) throw notFound('This lead');
    app.leads.signalLead(recorded.leadId, 'responded', recorded.outboxId);
    return { leadId: recorded.leadId, agentResponseSeconds: seconds, agentRespondedAt: now };
  },
});
