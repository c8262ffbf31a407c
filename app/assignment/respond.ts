import { buildAgentView } from '../../domain/webhooks/event-payloads.ts';
import { type LockedLead, lockLead } from '../../store/assignment/lock-lead.ts';
import { canSee, type Reader } from '../../store/assignment/read-assignment.ts';
import type { Database } from '../../store/db/database.ts';
import type { LeadRow } from '../../store/leads/lead-json.ts';
import { buildOutboxRow } from '../../store/leads/outbox.ts';
import { hasEndpointFor } from '../../store/webhooks/endpoints.ts';
import { changeLeads, type Decided, NOBODY } from './change-leads.ts';

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
  const { leadId, reader, at, newId } = response;
  return database.transaction(async (sql) => {
    if (reader && !(await canSee(sql, leadId, reader))) return null;
    const { outcomes, outboxIds } = await changeLeads({ newId, now: () => at }, sql, {
      now: at,
      async lock(sql) {
        const locked = await lockLead(sql, leadId);
        if (!locked) return [];
        const isHeard = await hasEndpointFor(sql, locked.lead.client_id, ['lead.responded']);
        return [{ ...locked, isHeard }];
      },
      reach: ({ lead }) => (isAwaited(lead) ? NOBODY : null),
      decide: (lead) => decideResponse(lead, response),
    });
    return outcomes.has(leadId) ? { leadId, outboxId: outboxIds.get(leadId) ?? null } : null;
  });
}

function decideResponse(
  { lead, owner, isHeard }: LockedLead & { isHeard: boolean },
  { seconds, at, respondedAt = at, reader, readerName: recordedBy }: ResponseRecord,
): Decided<null> {
  const holder = owner && buildAgentView(owner);
  const endsWait = isAwaited(lead);
  return {
    outcome: null,
    cause: { kind: 'responded', recordedBy, seconds, holder },
    because: reader ? { clientId: reader.id } : {},
    columns: {
      agent_response_seconds: seconds,
      agent_responded_at: respondedAt.toISOString(),
      updated_at: at.toISOString(),
    },
    rows: { lead_outbox: endsWait || isHeard ? [buildOutboxRow(lead.id, 'responded', at)] : [] },
    freesOwner: endsWait,
  };
}

function isAwaited(lead: LeadRow): boolean {
  const isFirst = lead.assignment_status === 'assigned' && lead.agent_responded_at === null;
  return isFirst || lead.follow_up_due_at !== null;
}
