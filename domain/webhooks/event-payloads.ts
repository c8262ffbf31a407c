import type { Entry } from '../catalogue/lookups/lookup-list.ts';
import type { AgentEntry } from '../catalogue/lookups/reference.ts';

export const leadEventTypes = [
  'lead.created',
  'lead.assigned',
  'lead.pooled',
  'lead.unassigned',
  'lead.responded',
] as const;
export type LeadEventType = (typeof leadEventTypes)[number];

/** Events about an endpoint, sent to the client's other endpoints. */
export const endpointEventTypes = ['endpoint.failing', 'endpoint.disabled'] as const;
type EndpointEventType = (typeof endpointEventTypes)[number];

export const eventTypes = [...leadEventTypes, ...endpointEventTypes] as const;
export type EventType = (typeof eventTypes)[number];

/** The types for an endpoint or a reader that names none. The others came later. */
export const DEFAULT_EVENT_TYPES: readonly EventType[] = ['lead.created', 'lead.assigned'];

/** Reads a comma-separated list of types, once each. `unknown` holds names that are no event type. */
export function readEventTypes(list: string): { events: EventType[]; unknown: string[] } {
  const names = new Set(list.split(',').map((name) => name.trim()));
  names.delete('');
  const events = eventTypes.filter((type) => names.delete(type));
  return { events, unknown: [...names] };
}

/** An event of a lead (Events). Every attempt of its delivery sends the same body, byte for byte. */
export interface LeadEvent {
  id: string;
  type: LeadEventType;
  /** Counts the events of one lead, since deliveries may arrive in any order. */
  sequence: number;
  body: string;
}

/** The agent in responses and events (assignedTo / agent object). */
export type AgentView = AgentEntry;

export function buildAgentView(agent: AgentEntry): AgentView {
  const { id, slug, name, email, phone, whatsappPhone, active } = agent;
  return { id, slug, name, email, phone, whatsappPhone, active };
}

interface LeadCreatedData {
  leadId: string;
  contactId: string;
  createdAt: string;
  status: string;
  source: Entry | null;
  integrationRef: string | null;
  isRepeatLead: boolean;
  repeatOfLeadId: string | null;
  isAgentEnquiry: boolean;
  needsIntakeReview: boolean;
  assignedTo: AgentView | null;
}

interface LeadAssignedData {
  leadId: string;
  status: 'assigned';
  agent: AgentView;
  assignedAt: string;
  previousAgentId: string | null;
  integrationRef: string | null;
}

interface LeadPooledData {
  leadId: string;
  status: 'pool';
  poolName: string;
  integrationRef: string | null;
}

interface LeadUnassignedData {
  leadId: string;
  status: 'unassigned';
  reason: UnassignedReason;
  integrationRef: string | null;
}

interface LeadRespondedData {
  leadId: string;
  seconds: number;
  /** Who holds the lead; null: nobody does. */
  agent: AgentView | null;
  integrationRef: string | null;
}

/**
 * No rule matched the lead; the rules that matched had nobody who could take it; it waits for an agent after it had one; or
 * an operator undid what had assigned it.
 */
export const unassignedReasons = [
  'no_rule_matched',
  'nobody_available',
  'waiting',
  'operator',
] as const;
export type UnassignedReason = (typeof unassignedReasons)[number];

export interface LeadEventData {
  'lead.created': LeadCreatedData;
  'lead.assigned': LeadAssignedData;
  'lead.pooled': LeadPooledData;
  'lead.unassigned': LeadUnassignedData;
  'lead.responded': LeadRespondedData;
}

interface EventFacts {
  id: string;
  sequence: number;
  at: Date;
}

export function buildLeadEvent<Type extends LeadEventType>(
  type: Type,
  { id, sequence, at }: EventFacts,
  data: LeadEventData[Type],
): LeadEvent {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data: { ...data, sequence } });
  return { id, type, sequence, body };
}

interface EndpointFailingData {
  endpointId: string;
  url: string;
  /** ISO 8601: the first failure after which no call succeeded. */
  failingSince: string;
  /** Null: the last call got no response. */
  lastStatusCode: number | null;
  lastError: string | null;
}

/** It answered 410, failed for five days, or an operator switched it off. */
export const disabledReasons = ['gone', 'failing', 'by_operator'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

interface EndpointDisabledData {
  endpointId: string;
  url: string;
  reason: DisabledReason;
  failingSince: string | null;
}

interface EndpointEventData {
  'endpoint.failing': EndpointFailingData;
  'endpoint.disabled': EndpointDisabledData;
}

/** The data of an event's body, besides the `sequence` of a lead's. */
export type EventData = LeadEventData & EndpointEventData;

export interface EndpointEvent {
  id: string;
  type: EndpointEventType;
  at: Date;
  body: string;
}

export function buildEndpointEvent<Type extends EndpointEventType>(
  type: Type,
  { id, at }: { id: string; at: Date },
  data: EndpointEventData[Type],
): EndpointEvent {
  return { id, type, at, body: JSON.stringify({ type, timestamp: at.toISOString(), data }) };
}

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
