import type { AgentView, EventData, EventType, LeadEventType } from './event-payloads.ts';

/** A sample of each event: the examples of the document, and what an operator sends to try a receiver. */

export const sampleAgent: AgentView = {
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

interface TestData {
  endpointId: string;
  message: string;
}

type SampleData = {
  readonly [Type in EventType]: EventData[Type] &
    (Type extends LeadEventType ? { sequence: number } : unknown);
} & { readonly 'webhook.test': TestData };

/** `webhook.test` says that it is a test; an event of any other type is as the service sends it. */
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
