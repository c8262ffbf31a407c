import type { AssignmentEvent } from '../../domain/assignment/assignment-event.ts';
import type { EventRequirements, Transition } from '../../domain/assignment/transitions.ts';
import type { Entry } from '../../domain/catalogue/lookups/lookup-list.ts';
import { type Explanation, whyUnassigned } from '../../domain/routing/decision.ts';
import {
  buildLeadEvent,
  type LeadEvent,
  type EventData,
  type LeadEventType,
  type UnassignedReason,
} from '../../domain/webhooks/event-payloads.ts';
import type { AssignmentColumns, LeadRow } from './lead-json.ts';

export interface EventFacts {
  now: Date;
  newId: () => string;
  /** What the rules decided from. */
  decision?: { explanation: Explanation };
  /** Who held it last before. */
  previousAgentId?: string | null;
  /** The name of the pool that takes the lead; empty where none does. */
  poolName: string;
  /** The source of a new lead; null for a changed one. */
  source: Entry | null;
}

/** Builds every webhook event of a transition, numbered without a gap. */
export function buildTransitionEvents(
  lead: LeadRow,
  before: Pick<AssignmentColumns, 'event_sequence'>,
  transition: Transition,
  facts: EventFacts,
): LeadEvent[] {
  const [leadId, integrationRef] = [lead.id, lead.integration_ref ?? null];
  const previousAgentId = facts.previousAgentId ?? null;
  const context = { lead, leadId, integrationRef, transition, previousAgentId, facts };
  return transition.webhookEvents.map((type, index) =>
    buildEvent(type, before.event_sequence + index + 1, context),
  );
}

interface EventContext {
  lead: LeadRow;
  leadId: string;
  integrationRef: string | null;
  transition: Transition;
  previousAgentId: string | null;
  facts: EventFacts;
}

/**
 * The cast is safe: a row of the table can name only webhook events that its assignment event carries the facts for.
 */
function buildEvent<Type extends LeadEventType>(
  type: Type,
  sequence: number,
  context: EventContext,
): LeadEvent {
  const { transition, facts } = context;
  const cause = transition.event as AssignmentEvent & EventRequirements[Type];
  const event = { id: `evt_${facts.newId()}`, sequence, at: facts.now };
  return buildLeadEvent(type, event, dataBuilders[type](cause, context));
}

function whyLeft(
  kind: EventRequirements['lead.unassigned']['kind'],
  explanation: Explanation | undefined,
): UnassignedReason {
  if (kind === 'operator_waiting') return 'waiting';
  return kind === 'operator_unassigned' && !explanation ? 'operator' : whyUnassigned(explanation);
}

const dataBuilders: {
  [Type in LeadEventType]: (
    cause: EventRequirements[Type],
    context: EventContext,
  ) => EventData[Type];
} = {
  'lead.created': (_cause, { lead, leadId, integrationRef, transition, facts: { source } }) => ({
    leadId,
    contactId: lead.contact_id,
    createdAt: lead.created_at,
    status: transition.status,
    source,
    integrationRef,
    isRepeatLead: lead.is_repeat_lead,
    repeatOfLeadId: lead.repeat_of_lead_id,
    isAgentEnquiry: lead.is_agent_enquiry,
    needsIntakeReview: lead.intake_unresolved !== null,
    assignedTo: transition.holder.kind === 'agent' ? transition.holder.agent : null,
  }),
  'lead.assigned': ({ agent }, { leadId, integrationRef, previousAgentId, facts: { now } }) => ({
    leadId,
    status: 'assigned',
    agent,
    assignedAt: now.toISOString(),
    previousAgentId,
    integrationRef,
  }),
  'lead.pooled': (_cause, { leadId, integrationRef, facts: { poolName } }) => ({
    leadId,
    status: 'pool',
    poolName,
    integrationRef,
  }),
  'lead.unassigned': ({ kind }, { leadId, integrationRef, facts: { decision } }) => ({
    leadId,
    status: 'unassigned',
    reason: whyLeft(kind, decision?.explanation),
    integrationRef,
  }),
  'lead.responded': ({ seconds, holder }, { leadId, integrationRef }) => ({
    leadId,
    seconds,
    agent: holder,
    integrationRef,
  }),
};
