import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { LeadAssignedData, LeadCreatedData } from '../../domain/webhooks/event-payloads.ts';
import { agentSchema, entrySchema } from '../responses/lead-record.ts';

/** What we send to the endpoints that an operator registered (Events). */

const leadId = z.uuid();
const integrationRef = z.string().nullable();
const sequence = z.int().min(1).meta({
  description: 'Counts the events of one lead, since they may arrive in another order.',
});

const created = z.object({
  leadId,
  contactId: z.uuid(),
  createdAt: z.iso.datetime(),
  status: z.enum(['assigned', 'pending', 'unassigned', 'pool']),
  source: entrySchema.nullable(),
  integrationRef,
  isRepeatLead: z.boolean(),
  repeatOfLeadId: z.uuid().nullable(),
  isAgentEnquiry: z.boolean(),
  needsIntakeReview: z.boolean(),
  assignedTo: agentSchema.nullable(),
}) satisfies z.ZodType<LeadCreatedData>;

const assigned = z.object({
  leadId,
  status: z.literal('assigned'),
  agent: agentSchema,
  assignedAt: z.iso.datetime(),
  previousAgentId: z.guid().nullable(),
  integrationRef,
}) satisfies z.ZodType<LeadAssignedData>;

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

interface EventPage<Data extends z.ZodObject> {
  summary: string;
  /** The name of the schema in the document. */
  id: string;
  data: Data;
  example: z.output<Data> & { sequence: number };
}

function webhook<Data extends z.ZodObject>(type: string, page: EventPage<Data>) {
  const { summary, id, data: facts, example } = page;
  const data = facts.extend({ sequence });
  const schema = z
    .object({ type: z.literal(type), timestamp: z.iso.datetime(), data })
    .meta({ id });
  return {
    post: {
      operationId: type,
      summary,
      description: 'Any 2xx within 15 seconds is success; everything else is tried again.',
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

export const webhooks: ZodOpenApiPathsObject = {
  'lead.created': webhook('lead.created', {
    summary: 'A lead was created',
    id: 'LeadCreatedEvent',
    data: created,
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
  }),
  'lead.assigned': webhook('lead.assigned', {
    summary: 'A lead was assigned to an agent',
    id: 'LeadAssignedEvent',
    data: assigned,
    example: {
      leadId: LEAD_ID,
      status: 'assigned',
      agent: {
        id: '6f9f6ac5-3c4f-4c4a-9d0e-6d6f3f1f2a10',
        slug: 'omar-rahman',
        name: 'Omar Rahman',
        email: 'omar@agency.example',
        phone: '+971500000001',
        whatsappPhone: null,
        active: true,
      },
      assignedAt: '2026-09-20T08:15:31.000Z',
      previousAgentId: null,
      integrationRef: 'landing-page-7',
      sequence: 2,
    },
  }),
};
