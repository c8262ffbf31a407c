import { z } from 'zod';
import type { AgentEntry } from '../catalogue/lookups/reference.ts';

export const leadEventTypes = [
  'lead.created',
  'lead.assigned',
  'lead.pooled',
  'lead.unassigned',
  'lead.responded',
  'lead.enquired',
] as const;
export type LeadEventType = (typeof leadEventTypes)[number];

/** Sent to the client's other endpoints. */
export const endpointEventTypes = ['endpoint.failing', 'endpoint.disabled'] as const;
type EndpointEventType = (typeof endpointEventTypes)[number];

export const eventTypes = [...leadEventTypes, ...endpointEventTypes] as const;
export type EventType = (typeof eventTypes)[number];

/** The others are newer, so that endpoints and readers ask for them by name. */
export const DEFAULT_EVENT_TYPES: readonly EventType[] = ['lead.created', 'lead.assigned'];

export function readEventTypes(list: string): { events: EventType[]; unknown: string[] } {
  const names = new Set(list.split(',').map((name) => name.trim()));
  names.delete('');
  const events = eventTypes.filter((type) => names.delete(type));
  return { events, unknown: [...names] };
}

export const entrySchema = z
  .object({
    id: z.string().describe('Id of the record, or its code.'),
    name: z.string().describe('Name of the record.'),
  })
  .meta({
    id: 'Entry',
    description: 'A record of a list in the CRM; for lists fixed by a standard the id is the code.',
  });

/** assignedTo / agent object */
export const agentViewSchema = z
  .object({
    id: z.guid().describe('Id of the agent.'),
    slug: z.string().describe('Name of the agent in URLs.'),
    name: z.string().describe('Name of the agent.'),
    email: z.string().describe('Email of the agent.'),
    phone: z.string().nullable().describe('Phone of the agent.'),
    whatsappPhone: z.string().nullable().describe('WhatsApp number of the agent.'),
    active: z.boolean().describe('True if the agent takes leads.'),
  })
  .meta({ id: 'Agent' });
export type AgentView = z.infer<typeof agentViewSchema>;

export function buildAgentView(agent: AgentEntry): AgentView {
  const { id, slug, name, email, phone, whatsappPhone, active } = agent;
  return { id, slug, name, email, phone, whatsappPhone, active };
}

const leadId = z.uuid().describe('Id of the lead.');
const integrationRef = z.string().nullable().describe('As it was sent with the lead.');
const assignedTo = agentViewSchema
  .nullable()
  .describe('Owner of the lead. Null if not decided yet.');
const matchedOn = z.enum(['phone', 'email']).describe('What the enquiry and the lead share.');
const stateAtEvent = 'State of the assignment at the time of the event.';
const endpointId = z.uuid().describe('Id of the endpoint.');
const url = z.string().describe('URL of the endpoint.');
const sinceText = 'First failure since the last success. A silence of over a day moves it forward.';

export const eventData = {
  'lead.created': z.object({
    leadId,
    contactId: z.uuid().describe('Contact that was matched or created.'),
    createdAt: z.iso.datetime().describe('Time at which the lead was created.'),
    status: z.enum(['assigned', 'pending', 'unassigned', 'pool']).describe(stateAtEvent),
    source: entrySchema.nullable().describe('Source that was matched.'),
    integrationRef,
    isRepeatLead: z
      .boolean()
      .describe('True if the customer has a lead that is older than the merge window.'),
    repeatOfLeadId: z.uuid().nullable().describe('That earlier lead.'),
    isAgentEnquiry: z.boolean().describe('True if the sender is a known competing agent.'),
    needsIntakeReview: z.boolean().describe('True if `intakeUnresolved` has an entry.'),
    assignedTo,
  }),
  'lead.assigned': z.object({
    leadId,
    status: z.literal('assigned').describe(stateAtEvent),
    agent: agentViewSchema.describe('New owner of the lead.'),
    assignedAt: z.iso.datetime().describe('Time of the assignment.'),
    previousAgentId: z.guid().nullable().meta({
      description:
        'Last owner, even if a pool or a wait came in between. May be the same agent. Null if none.',
    }),
    integrationRef,
  }),
  'lead.pooled': z.object({
    leadId,
    status: z.literal('pool').describe(stateAtEvent),
    poolName: z.string().describe('Pool in which the lead waits.'),
    integrationRef,
  }),
  'lead.unassigned': z.object({
    leadId,
    status: z.literal('unassigned').meta({
      description:
        'Always `unassigned`; with the reason `waiting` the assignment itself is `pending`.',
    }),
    reason: z.enum(['no_rule_matched', 'nobody_available', 'waiting', 'operator']).meta({
      description:
        '`no_rule_matched`: no routing rule is for such a lead. `nobody_available`: none of the agents could take it. `waiting`: an operator took it from its agent, and it waits for another one. `operator`: an operator took back what had brought it to an agent or into a pool.',
    }),
    integrationRef,
  }),
  'lead.responded': z.object({
    leadId,
    seconds: z.int().min(0).describe('As it was recorded.'),
    agent: agentViewSchema.nullable().describe('Owner of the lead. Null if it has none.'),
    integrationRef,
  }),
  'lead.enquired': z.object({
    leadId,
    enquiredAt: z.iso.datetime().describe('Time at which the enquiry was received.'),
    source: entrySchema.nullable().describe('Source of this enquiry.'),
    matchedOn,
    hasMessage: z.boolean().describe('True if it had an `initialInquiry`.'),
    assignedTo,
    integrationRef,
  }),
  'endpoint.failing': z.object({
    endpointId,
    url,
    failingSince: z.iso.datetime().describe(sinceText),
    lastStatusCode: z.int().nullable().describe('Null if the last call got no response.'),
    lastError: z.string().nullable().meta({
      description: '`status`, `redirect`, or why there was no response, such as `timeout`.',
    }),
  }),
  'endpoint.disabled': z.object({
    endpointId,
    url,
    reason: z.enum(['gone', 'failing', 'by_operator']).meta({
      description:
        '`gone`: it answered 410. `failing`: every call failed for five days. `by_operator`: ask the operator.',
    }),
    failingSince: z.iso.datetime().nullable().describe(sinceText),
  }),
} satisfies Record<EventType, z.ZodObject>;

export type EventData = { [Type in EventType]: z.infer<(typeof eventData)[Type]> };
export type UnassignedReason = EventData['lead.unassigned']['reason'];
export type DisabledReason = EventData['endpoint.disabled']['reason'];

export const testEventData = z.object({
  endpointId,
  message: z.string().describe('Note that this is a test.'),
});

/** Every attempt sends the same body, byte for byte (Events). */
export type LeadEvent = ReturnType<typeof buildLeadEvent>;

/** `sequence` counts the events of one lead, since deliveries may arrive in any order. */
export function buildLeadEvent<Type extends LeadEventType>(
  type: Type,
  { id, sequence, at }: { id: string; sequence: number; at: Date },
  data: EventData[Type],
) {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data: { ...data, sequence } });
  return { id, type, sequence, body };
}

export type EndpointEvent = ReturnType<typeof buildEndpointEvent>;

export function buildEndpointEvent<Type extends EndpointEventType>(
  type: Type,
  { id, at }: { id: string; at: Date },
  data: EventData[Type],
) {
  return { id, type, at, body: JSON.stringify({ type, timestamp: at.toISOString(), data }) };
}

const sampleAgent: AgentView = {
  id: '6f9f6ac5-3c4f-4c4a-9d0e-6d6f3f1f2a10',
  slug: 'omar-rahman',
  name: 'Omar Rahman',
  email: 'omar@agency.example',
  phone: '+971500000001',
  whatsappPhone: null,
  active: true,
};

const LEAD = {
  leadId: '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01',
  integrationRef: 'landing-page-7',
};

export const SAMPLE_ENDPOINT = {
  endpointId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f',
  url: 'https://partner.example/hooks/leads',
};

type SampleData = {
  readonly [Type in EventType]: EventData[Type] &
    (Type extends LeadEventType ? { sequence: number } : unknown);
} & { readonly 'webhook.test': z.infer<typeof testEventData> };

export const sampleData: SampleData = {
  'lead.created': {
    ...LEAD,
    contactId: '3a52b3ee-6a63-4d6b-9a53-0d7f5d1cb7a2',
    createdAt: '2026-09-20T08:15:30.000Z',
    status: 'pending',
    source: { id: 'c7b8d5a2-94a5-4c4e-8d9b-0f6f6e7a1b11', name: 'Website' },
    isRepeatLead: false,
    repeatOfLeadId: null,
    isAgentEnquiry: false,
    needsIntakeReview: false,
    assignedTo: null,
    sequence: 1,
  },
  'lead.assigned': {
    ...LEAD,
    status: 'assigned',
    agent: sampleAgent,
    assignedAt: '2026-09-20T08:15:31.000Z',
    previousAgentId: null,
    sequence: 2,
  },
  'lead.pooled': { ...LEAD, status: 'pool', poolName: 'Marina desk', sequence: 2 },
  'lead.unassigned': { ...LEAD, status: 'unassigned', reason: 'nobody_available', sequence: 2 },
  'lead.responded': { ...LEAD, seconds: 420, agent: sampleAgent, sequence: 3 },
  'lead.enquired': {
    ...LEAD,
    enquiredAt: '2026-09-20T10:02:00.000Z',
    source: { id: '1d0a4f7e-52c3-4d0b-a6e8-8d3b9f6c7e21', name: 'Social Ads' },
    matchedOn: 'phone',
    hasMessage: true,
    assignedTo: sampleAgent,
    sequence: 4,
  },
  'endpoint.failing': {
    ...SAMPLE_ENDPOINT,
    failingSince: '2026-09-19T08:15:31.000Z',
    lastStatusCode: 503,
    lastError: 'status',
  },
  'endpoint.disabled': {
    ...SAMPLE_ENDPOINT,
    reason: 'failing',
    failingSince: '2026-09-15T08:15:31.000Z',
  },
  'webhook.test': {
    endpointId: SAMPLE_ENDPOINT.endpointId,
    message: 'A test: no lead was created and none was assigned.',
  },
};
