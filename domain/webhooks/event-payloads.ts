import type { Entry } from '../catalogue/lookups/lookup-list.ts';
import type { AgentEntry } from '../catalogue/lookups/reference.ts';

/** The two events that integrators hear of (Events). A body, once made, is sent unchanged at every try. */
export type EventType = 'lead.created' | 'lead.assigned';

export interface LeadEvent {
  id: string;
  type: EventType;
  /** Counts the events of one lead, since order of arrival is not promised. */
  sequence: number;
  body: string;
}

/** The agent as answers and events show it (assignedTo / agent object). */
export interface AgentView {
  id: string;
  slug: string;
  name: string;
  email: string;
  phone: string | null;
  whatsappPhone: string | null;
  active: boolean;
}

export function agentView(agent: AgentEntry): AgentView {
  const { id, slug, name, email, phone, whatsappPhone, active } = agent;
  return { id, slug, name, email, phone, whatsappPhone, active };
}

export interface LeadCreatedData {
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

export interface LeadAssignedData {
  leadId: string;
  status: 'assigned';
  agent: AgentView;
  assignedAt: string;
  previousAgentId: string | null;
  integrationRef: string | null;
}

interface EventFacts {
  id: string;
  sequence: number;
  at: Date;
}

export function leadCreated(facts: EventFacts, data: LeadCreatedData): LeadEvent {
  return eventOf('lead.created', facts, data);
}

export function leadAssigned(facts: EventFacts, data: LeadAssignedData): LeadEvent {
  return eventOf('lead.assigned', facts, data);
}

function eventOf(type: EventType, { id, sequence, at }: EventFacts, data: object): LeadEvent {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data: { ...data, sequence } });
  return { id, type, sequence, body };
}
