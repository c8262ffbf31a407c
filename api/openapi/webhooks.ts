import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { EventType } from '../../domain/webhooks/event-payloads.ts';
import { eventName, eventSchemas, testEventSchema } from '../responses/events.ts';
import { asGeneratorsTakeIt, type Document } from './plain-schema.ts';
import { sampleAgent } from './sample-values.ts';

/** What we send to the endpoints that an operator registered (Events). */

const headers = z.object({
  'webhook-id': z.string().meta({
    description: 'The same at every try of one event to one endpoint: recognise retries by it.',
  }),
  'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970, of this try.' }),
  'webhook-signature': z.string().meta({
    description: 'Standard Webhooks: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64.',
  }),
  traceparent: z.string().optional().meta({
    description:
      'W3C Trace Context: the trace of your request that last changed the lead, where it named one.',
  }),
});

const LEAD_ID = '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01';

const ENDPOINT = {
  endpointId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f',
  url: 'https://partner.example/hooks/leads',
};

const BY_NAME = 'Sent to endpoints that ask for it by name.';
const TO_OTHERS = `${BY_NAME} An endpoint is not told of itself, only the others of the client are.`;

const schemas = { ...eventSchemas, 'webhook.test': testEventSchema };
type SentType = EventType | 'webhook.test';

interface EventPage<Type extends SentType> {
  summary: string;
  description?: string;
  example: z.output<(typeof schemas)[Type]>['data'];
}

const pages: { readonly [Type in SentType]: EventPage<Type> } = {
  'lead.created': {
    summary: 'A lead was created',
    example: {
      leadId: LEAD_ID,
      contactId: '3a52b3ee-6a63-4d6b-9a53-0d7f5d1cb7a2',
      createdAt: '2026-09-20T08:15:30.000Z',
      status: 'pending',
      source: { id: 'c7b8d5a2-94a5-4c4e-8d9b-0f6f6e7a1b11', name: 'Website' },
      integrationRef: 'landing-page-7',
      isRepeatLead: false,
      repeatOfLeadId: null,
      isAgentEnquiry: false,
      needsIntakeReview: false,
      assignedTo: null,
      sequence: 1,
    },
  },
  'lead.assigned': {
    summary: 'A lead was assigned to an agent',
    example: {
      leadId: LEAD_ID,
      status: 'assigned',
      agent: sampleAgent,
      assignedAt: '2026-09-20T08:15:31.000Z',
      previousAgentId: null,
      integrationRef: 'landing-page-7',
      sequence: 2,
    },
  },
  'lead.pooled': {
    summary: 'A lead was left in a pool, for an agent to claim',
    description: BY_NAME,
    example: {
      leadId: LEAD_ID,
      status: 'pool',
      poolName: 'Marina desk',
      integrationRef: 'landing-page-7',
      sequence: 2,
    },
  },
  'lead.unassigned': {
    summary: 'A lead was left without an agent',
    description: BY_NAME,
    example: {
      leadId: LEAD_ID,
      status: 'unassigned',
      reason: 'nobody_available',
      integrationRef: 'landing-page-7',
      sequence: 2,
    },
  },
  'lead.responded': {
    summary: 'A response to the customer was recorded',
    description: BY_NAME,
    example: {
      leadId: LEAD_ID,
      seconds: 420,
      agent: sampleAgent,
      integrationRef: 'landing-page-7',
      sequence: 3,
    },
  },
  'endpoint.failing': {
    summary: 'Every call to an endpoint of yours has failed for a day',
    description: `${TO_OTHERS} Once, until a call succeeds again.`,
    example: {
      ...ENDPOINT,
      failingSince: '2026-09-19T08:15:31.000Z',
      lastStatusCode: 503,
      lastError: 'status',
    },
  },
  'endpoint.disabled': {
    summary: 'An endpoint of yours was switched off',
    description: TO_OTHERS,
    example: { ...ENDPOINT, reason: 'failing', failingSince: '2026-09-15T08:15:31.000Z' },
  },
  'webhook.test': {
    summary: 'The operator tests an endpoint of yours',
    description: 'Sent to this endpoint alone, whatever events it asks for; it is in no feed.',
    example: {
      endpointId: ENDPOINT.endpointId,
      message: 'A test: no lead was created and none was assigned.',
    },
  },
};

const SENT = 'Any 2xx within 15 seconds is success; everything else is tried again.';

function webhook(type: SentType) {
  const { summary, description, example } = pages[type];
  const schema = (schemas[type] as z.ZodObject).meta({ id: `${eventName(type)}Webhook` });
  const tried = type === 'webhook.test' ? 'Sent once.' : SENT;
  return {
    post: {
      operationId: type,
      summary,
      description: description ? `${description}\n\n${tried}` : tried,
      tags: ['Webhooks'],
      security: [],
      requestParams: { header: headers },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema,
            example: { type, timestamp: '2026-09-20T08:15:31.000Z', data: example },
          },
        },
      },
      responses: { '2XX': { description: 'Taken' } },
    },
  };
}

const introduction =
  'What the service sends to the endpoints that its operator registered for a client. ' +
  'The requests that a client sends are in `openapi.json`.';

/** A document of its own, since few generators of clients take `webhooks`. */
export function webhooksDocument(revision: string): Document {
  const types = Object.keys(pages) as SentType[];
  return createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Lead Intake webhooks', version: revision, description: introduction },
      servers: [{ url: ENDPOINT.url, description: 'The address of your endpoint.' }],
      tags: [{ name: 'Webhooks' }],
      paths: {},
      webhooks: Object.fromEntries(types.map((type) => [type, webhook(type)])),
    },
    { override: asGeneratorsTakeIt },
  );
}
