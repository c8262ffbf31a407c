import { requireTransition } from '../../domain/assignment/transitions.ts';
import { buildAgentView } from '../../domain/webhooks/event-payloads.ts';
import type { Database } from '../db/database.ts';
import { buildOutboxRow } from '../leads/lead-rows.ts';
import type { LeadRow } from '../leads/lead-tables.ts';
import { changeLead, type ChangeRows } from '../leads/write-lead.ts';
import { hasEndpointFor } from '../webhooks/endpoints.ts';
import { lockLead, type LockedLead } from './lock-lead.ts';
import { canSee, type Reader } from './read-assignment.ts';
import { assignmentColumns, assignmentStateOf, buildTransitionRows } from './record-transition.ts';
import { wakeWaitingLeads } from './waits.ts';

export interface ResponseRecord {
  leadId: string;
  seconds: number;
  at: Date;
  reader: Reader;
  readerName: string;
  newId: () => string;
}

/**
 * Records how long the agent took and stops the clock; the last write wins. The outbox signals the lead's
 * workflow where the response stopped a clock, is the holder's first, or goes to an endpoint. Null for a lead
 * that is not there for this reader.
 */
export function recordResponse(database: Database, response: ResponseRecord) {
  const { leadId, reader, at } = response;
  return database.transaction(async (sql) => {
    if (!(await canSee(sql, leadId, reader))) return null;
    const locked = await lockLead(sql, leadId);
    if (!locked) return null;
    const { lead } = locked;
    const endsWait = isAwaited(lead);
    const isSignalled = endsWait || (await hasEndpointFor(sql, lead.client_id, 'lead.responded'));
    const lead_outbox = isSignalled ? [buildOutboxRow(leadId, 'responded', at)] : [];
    const rows = { ...buildResponseRows(locked, response), lead_outbox };
    const outboxId = await changeLead(sql, leadId, rows, at);
    if (endsWait) await wakeWaitingLeads(sql, at);
    return { leadId: lead.id, outboxId };
  });
}

function isAwaited(lead: LeadRow): boolean {
  const isFirst = lead.assignment_status === 'assigned' && lead.agent_responded_at === null;
  return isFirst || lead.follow_up_due_at !== null;
}

function buildResponseRows(
  { lead, owner }: LockedLead,
  { seconds, at: now, reader, readerName, newId }: ResponseRecord,
): ChangeRows {
  const event = { kind: 'responded', recordedBy: readerName, seconds } as const;
  const transition = requireTransition(assignmentStateOf(lead), event);
  const response = { seconds, agent: owner && buildAgentView(owner) };
  return {
    change: {
      ...assignmentColumns(lead, transition, now),
      agent_response_seconds: seconds,
      agent_responded_at: now.toISOString(),
      updated_at: now.toISOString(),
    },
    ...buildTransitionRows(lead, lead, transition, { now, newId, clientId: reader.id, response }),
  };
}
