import { requireTransition, type Transition } from '../../domain/assignment/transitions.ts';
import { buildAgentView } from '../../domain/webhooks/event-payloads.ts';
import type { Database } from '../db/database.ts';
import { assignmentStateOf, type LeadRow } from '../leads/lead-json.ts';
import type { LeadChangeRows } from '../leads/lead-rows.ts';
import { buildOutboxRow } from '../leads/outbox.ts';
import { wakeWaitingLeads } from '../leads/waiting-leads.ts';
import { changeLead } from '../leads/write-lead.ts';
import { hasEndpointFor } from '../webhooks/endpoints.ts';
import { type LockedLead, lockLead } from './lock-lead.ts';
import { canSee, type Reader } from './read-assignment.ts';

/** 30 days. */
export const MAX_RESPONSE_SECONDS = 2_592_000;

interface ResponseRecord {
  leadId: string;
  seconds: number;
  at: Date;
  respondedAt?: Date;
  /** Null: an operator, who sees every lead. */
  reader: Reader | null;
  readerName: string;
  newId: () => string;
}

/** The last write wins. Null if the lead does not exist for this reader. */
export function recordResponse(database: Database, response: ResponseRecord) {
  const { leadId, reader, at } = response;
  return database.transaction(async (sql) => {
    if (reader && !(await canSee(sql, leadId, reader))) return null;
    const locked = await lockLead(sql, leadId);
    if (!locked) return null;
    const { lead } = locked;
    const transition = decideResponse(locked, response);
    const types = transition.webhookEvents;
    const endsWait = isAwaited(lead);
    const isSignalled = endsWait || (await hasEndpointFor(sql, lead.client_id, types));
    const rows: LeadChangeRows = {
      change: responseColumns(response),
      transition: {
        transition,
        now: at,
        newId: response.newId,
        ...(reader && { clientId: reader.id }),
      },
      added: { lead_outbox: isSignalled ? [buildOutboxRow(leadId, 'responded', at)] : [] },
    };
    const outboxId = await changeLead(sql, lead, rows, at);
    if (endsWait && lead.owner_id) await wakeWaitingLeads(sql, lead.owner_id);
    return { leadId: lead.id, outboxId };
  });
}

function isAwaited(lead: LeadRow): boolean {
  const isFirst = lead.assignment_status === 'assigned' && lead.agent_responded_at === null;
  return isFirst || lead.follow_up_due_at !== null;
}

function decideResponse(
  { lead, owner }: LockedLead,
  { seconds, readerName: recordedBy }: ResponseRecord,
): Transition {
  const holder = owner && buildAgentView(owner);
  const event = { kind: 'responded', recordedBy, seconds, holder } as const;
  return requireTransition(assignmentStateOf(lead), event);
}

function responseColumns({ seconds, at, respondedAt = at }: ResponseRecord) {
  return {
    agent_response_seconds: seconds,
    agent_responded_at: respondedAt.toISOString(),
    updated_at: at.toISOString(),
  };
}
