import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { EventType } from '../../domain/webhooks/event-payloads.ts';
import { eventSchemas } from '../responses/events.ts';

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

const AGENT = {
  id: '6f9f6ac5-3c4f-4c4a-9d0e-6d6f3f1f2a10',
  slug: 'omar-rahman',
  name: 'Omar Rahman',
  email: 'omar@agency.example',
  phone: '+971500000001',
  whatsappPhone: null,
  active: true,
};

const ENDPOINT = {
  endpointId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f',
  url: 'https://partner.example/hooks/leads',
};

const BY_NAME = 'Sent to endpoints that ask for it by name.';
const TO_OTHERS = `${BY_NAME} An endpoint is not told of itself, only the others of the client are.`;

interface EventPage<Type extends EventType> {
  summary: string;
  description?: string;
  /** The name of the schema in the document. */
  id: string;
  example: z.output<(typeof eventSchemas)[Type]>['data'];
}

const pages: { readonly [Type in EventType]: EventPage<Type> } = {
  'lead.created': {
    summary: 'A lead was created',
    id: 'LeadCreatedEvent',
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
    id: 'LeadAssignedEvent',
    example: {
      leadId: LEAD_ID,
      status: 'assigned',
      agent: AGENT,
      assignedAt: '2026-09-20T08:15:31.000Z',
      previousAgentId: null,
      integrationRef: 'landing-page-7',
      sequence: 2,
    },
  },
  'lead.pooled': {
    summary: 'A lead was left in a pool, for an agent to claim',
    description: BY_NAME,
    id: 'LeadPooledEvent',
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
    id: 'LeadUnassignedEvent',
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
    id: 'LeadRespondedEvent',
    example: {
      leadId: LEAD_ID,
      seconds: 420,
      agent: AGENT,
      integrationRef: 'landing-page-7',
      sequence: 3,
    },
  },
  'endpoint.failing': {
    summary: 'Every call to an endpoint of yours has failed for a day',
    description: `${TO_OTHERS} Once, until a call succeeds again.`,
    id: 'EndpointFailingEvent',
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
    id: 'EndpointDisabledEvent',
    example: { ...ENDPOINT, reason: 'failing', failingSince: '2026-09-15T08:15:31.000Z' },
  },
};

const SENT = 'Any 2xx within 15 seconds is success; everything else is tried again.';

function webhook(type: EventType) {
  const { summary, description, id, example } = pages[type];
  const schema = eventSchemas[type].meta({ id });
  return {
    post: {
      operationId: type,
      summary,
      description: description ? `${description}\n\n${SENT}` : SENT,
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

export const webhooks: ZodOpenApiPathsObject = Object.fromEntries(
  (Object.keys(pages) as EventType[]).map((type) => [type, webhook(type)]),
);
