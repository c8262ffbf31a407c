import { buildLeadAssignedEvent } from '../../domain/webhooks/event-payloads.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import { contentHash } from '../../domain/routing/content-hash.ts';
import type {
  CreditChange,
  Explanation,
  FollowUp,
  LeadFacts,
  Roster,
} from '../../domain/routing/types.ts';
import type { Sql } from '../db/database.ts';
import { buildEventRow, buildTimelineRow } from '../leads/timeline-rows.ts';
import { changeLead } from '../leads/write-lead.ts';
import type { LeadRow } from '../leads/lead-row.ts';

/** A new state of a lead and how it came about: the only way in which a lead changes hands. */
export interface AssignmentRecord {
  lead: LeadRow;
  move: number;
  outcome:
    | { status: 'assigned'; agent: AgentView }
    | { status: 'pool'; poolId: string }
    | { status: 'unassigned' };
  decidedBy: 'rules' | 'follow_up' | 'claim';
  ruleName: string | null;
  rulesetVersion: number | null;
  reason: string;
  /** Null: no clock runs. */
  followUp: FollowUp | null;
  claimId?: string;
  /** What the decision was made from, kept for good. */
  decision?: { facts: LeadFacts; roster: Roster; explanation: Explanation };
  rotation?: readonly CreditChange[];
  now: Date;
  newId: () => string;
}

const MINUTE_MS = 60_000;

/** Writes the assignment, its explanation, the note, the event and the rotation in one statement. */
export async function recordTransition(sql: Sql, record: AssignmentRecord): Promise<void> {
  const { lead, now, newId } = record;
  const assignmentId = newId();
  await changeLead(sql, lead.id, {
    change: changedColumns(record),
    assignments: [assignmentRow(record, assignmentId)],
    routing_decisions: decisionRows(record, assignmentId),
    timeline_notes: [
      buildTimelineRow({
        leadId: lead.id,
        now,
        newId,
        kind: record.outcome.status,
        text: record.reason,
      }),
    ],
    webhook_events: eventRows(record),
    credits: record.rotation ?? [],
  });
}

function changedColumns({ lead, outcome, move, followUp, now }: AssignmentRecord): object {
  const isAssigned = outcome.status === 'assigned';
  const hasClock = isAssigned && !lead.is_personal && lead.agent_responded_at === null;
  const minutes = hasClock ? (followUp?.minutes ?? 0) : 0;
  const due = new Date(now.getTime() + minutes * MINUTE_MS).toISOString();
  return {
    assignment_status: outcome.status,
    owner_id: isAssigned ? outcome.agent.id : null,
    pool_id: outcome.status === 'pool' ? outcome.poolId : null,
    moves: move,
    assigned_at: isAssigned ? now.toISOString() : null,
    follow_up_due_at: minutes > 0 ? due : null,
    event_sequence: lead.event_sequence + (isAssigned ? 1 : 0),
    updated_at: now.toISOString(),
  };
}

function assignmentRow(record: AssignmentRecord, id: string): Record<string, unknown> {
  const { lead, outcome } = record;
  return {
    id,
    lead_id: lead.id,
    round: lead.round,
    move: record.move,
    status: outcome.status,
    agent_id: outcome.status === 'assigned' ? outcome.agent.id : null,
    previous_agent_id: lead.owner_id,
    pool_id: outcome.status === 'pool' ? outcome.poolId : null,
    decided_by: record.decidedBy,
    rule_name: record.ruleName,
    ruleset_version: record.rulesetVersion,
    reason: record.reason,
    follow_up: record.followUp,
    claim_id: record.claimId ?? null,
    decided_at: record.now.toISOString(),
  };
}

function decisionRows({ decision, rulesetVersion }: AssignmentRecord, assignmentId: string) {
  if (!decision) return [];
  const { facts, roster, explanation } = decision;
  return [
    {
      assignment_id: assignmentId,
      ruleset_version: rulesetVersion,
      facts,
      facts_hash: contentHash(facts),
      roster,
      roster_hash: contentHash(roster),
      explanation,
    },
  ];
}

/** Only an agent's taking a lead is announced, again at each change of hands. */
function eventRows({ lead, outcome, now, newId }: AssignmentRecord) {
  if (outcome.status !== 'assigned') return [];
  const event = buildLeadAssignedEvent(
    { id: `evt_${newId()}`, sequence: lead.event_sequence + 1, at: now },
    {
      leadId: lead.id,
      status: 'assigned',
      agent: outcome.agent,
      assignedAt: now.toISOString(),
      previousAgentId: lead.owner_id,
      integrationRef: lead.integration_ref as string | null,
    },
  );
  return [buildEventRow(event, lead, now)];
}
