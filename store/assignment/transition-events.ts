import { assertNever } from '../../domain/assert-never.ts';
import type { Transition } from '../../domain/assignment/transitions.ts';
import type { Explanation } from '../../domain/routing/explanation.ts';
import { whyUnassigned } from '../../domain/routing/summarise.ts';
import {
  buildLeadEvent,
  type AgentView,
  type LeadEventType,
  type LeadEvent,
} from '../../domain/webhooks/event-payloads.ts';
import type { AssignmentColumns, LeadRow } from '../leads/lead-tables.ts';

export interface EventFacts {
  now: Date;
  newId: () => string;
  /** What the rules decided from. */
  decision?: { explanation: Explanation };
  /** Of the pool that the lead was left in. */
  poolName?: string;
  /** The response that was recorded, and who holds the lead. */
  response?: { seconds: number; agent: AgentView | null };
}

type Before = Pick<AssignmentColumns, 'owner_id' | 'event_sequence'>;

/** The webhook events of a transition, but for `lead.created`, which is built of the enquiry. */
export function buildTransitionEvents(
  lead: LeadRow,
  before: Before,
  transition: Transition,
  facts: EventFacts,
): LeadEvent[] {
  return transition.webhookEvents
    .map((type, index) => {
      const sequence = before.event_sequence + index + 1;
      const event = { id: `evt_${facts.newId()}`, sequence, at: facts.now };
      return buildEvent(type, event, { lead, before, holder: transition.holder, facts });
    })
    .filter((event) => event !== null);
}

interface Happened {
  lead: LeadRow;
  before: Before;
  holder: Transition['holder'];
  facts: EventFacts;
}

function buildEvent(
  type: LeadEventType,
  event: { id: string; sequence: number; at: Date },
  { lead, before, holder, facts }: Happened,
): LeadEvent | null {
  const [leadId, integrationRef] = [lead.id, lead.integration_ref ?? null];
  switch (type) {
    case 'lead.created':
      return null;
    case 'lead.assigned':
      if (holder.kind !== 'agent') return null;
      return buildLeadEvent(type, event, {
        ...{ leadId, status: 'assigned', agent: holder.agent },
        assignedAt: event.at.toISOString(),
        previousAgentId: before.owner_id,
        integrationRef,
      });
    case 'lead.pooled': {
      const { poolName = '' } = facts;
      return buildLeadEvent(type, event, { leadId, status: 'pool', poolName, integrationRef });
    }
    case 'lead.unassigned': {
      const reason = whyUnassigned(facts.decision?.explanation);
      return buildLeadEvent(type, event, { leadId, status: 'unassigned', reason, integrationRef });
    }
    case 'lead.responded': {
      const { response } = facts;
      return response ? buildLeadEvent(type, event, { leadId, ...response, integrationRef }) : null;
    }
    default:
      return assertNever(type);
  }
}
