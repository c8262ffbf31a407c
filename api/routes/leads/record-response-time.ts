import { z } from 'zod';
import { eventData } from '../../../domain/webhooks/event-payloads.ts';
import { recordResponse } from '../../../app/assignment/respond.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, namedObject, noQuery, uuidParam } from '../../http/route.ts';

const MAX_SECONDS = 30 * 24 * 3600;

const body = z
  .strictObject({
    seconds: z.int().min(0).max(MAX_SECONDS).meta({
      description: "Whole seconds from the customer's first contact to the agent's response.",
    }),
  })
  .meta({ id: 'ResponseTime' });

const recorded = namedObject('RecordedResponseTime', {
  leadId: eventData['lead.created'].shape.leadId,
  agentResponseSeconds: z.int().describe('The recorded response time, in seconds.'),
  agentRespondedAt: z.iso.datetime().describe('Time at which it was recorded.'),
});

/** POST /public/leads/{id}/response-time: the last write wins. */
export const responseTime = defineRoute({
  method: 'POST',
  path: '/public/leads/{id}/response-time',
  operationId: 'recordResponseTime',
  summary: 'Record how long the assigned agent took to respond',
  tag: 'Leads',
  params: uuidParam,
  query: noQuery,
  body,
  bodyExample: { seconds: 420 },
  response: { description: 'The recorded response', schema: recorded },
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
    const { leadId, outboxId } = recorded;
    app.leads.signalLead(leadId, 'responded', outboxId);
    return { leadId, agentResponseSeconds: seconds, agentRespondedAt: now };
  },
});
