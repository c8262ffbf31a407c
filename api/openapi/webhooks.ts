import { z } from 'zod';
import { sampleData, SAMPLE_ENDPOINT } from '../../domain/webhooks/event-payloads.ts';
import { eventName, eventSchemas, testEventSchema } from '../responses/events.ts';
import { buildDocument, type Document, guideUrl } from './document.ts';

const headers = z.object({
  'webhook-id': z.string().meta({
    description: 'The same at every try of one event to one endpoint: recognise retries by it.',
  }),
  'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970, of this try.' }),
  'webhook-signature': z.string().meta({
    description:
      'Standard Webhooks: one or more, separated by spaces, of which one must match. Each is `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64.',
  }),
  traceparent: z.string().optional().meta({
    description:
      'W3C Trace Context: the trace of your request that last changed the lead, where it named one.',
  }),
});

const BY_NAME = 'Sent to endpoints that ask for it by name.';
const TO_OTHERS = `${BY_NAME} An endpoint is not told of itself, only the others of the client are.`;

const schemas = { ...eventSchemas, 'webhook.test': testEventSchema };
type SentType = keyof typeof schemas;

const summaries: Readonly<Record<SentType, string>> = {
  'lead.created': 'A lead was created',
  'lead.assigned': 'A lead was assigned to an agent',
  'lead.pooled': 'A lead was left in a pool, for an agent to claim',
  'lead.unassigned': 'A lead was left without an agent',
  'lead.responded': 'A response to the customer was recorded',
  'lead.enquired': 'Another enquiry was merged into a lead',
  'endpoint.failing': 'Every call to an endpoint of yours has failed for a day',
  'endpoint.disabled': 'An endpoint of yours was switched off',
  'webhook.test': 'The operator tests an endpoint of yours',
};

const descriptions: Partial<Record<SentType, string>> = {
  'lead.created': '',
  'lead.assigned': '',
  'endpoint.failing': `${TO_OTHERS} Once, until a call succeeds again.`,
  'endpoint.disabled': TO_OTHERS,
  'webhook.test': 'Sent to this endpoint alone, whatever events it asks for; it is in no feed.',
};

const SENT =
  'Any 2xx within 15 seconds is success; 410 disables the endpoint; everything else is tried again.';

function webhook(type: SentType) {
  const description = descriptions[type] ?? BY_NAME;
  const schema = (schemas[type] as z.ZodObject).meta({ id: `${eventName(type)}Webhook` });
  const tried = type === 'webhook.test' ? 'Sent once.' : SENT;
  return {
    post: {
      operationId: type,
      summary: summaries[type],
      description: description ? `${description}\n\n${tried}` : tried,
      tags: ['Webhooks'],
      security: [],
      requestParams: { header: headers },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema,
            example: { type, timestamp: '2026-09-20T08:15:31.000Z', data: sampleData[type] },
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

/** Few generators of clients accept `webhooks` in the document of the API. */
export function webhooksDocument(revision: string): Document {
  const types = Object.keys(summaries) as SentType[];
  return buildDocument({
    openapi: '3.1.0',
    info: { title: 'Lead Intake webhooks', version: revision, description: introduction },
    externalDocs: { description: 'The guide for receivers', url: guideUrl('webhooks') },
    servers: [{ url: SAMPLE_ENDPOINT.url, description: 'The address of your endpoint.' }],
    tags: [{ name: 'Webhooks' }],
    paths: {},
    webhooks: Object.fromEntries(types.map((type) => [type, webhook(type)])),
  });
}
