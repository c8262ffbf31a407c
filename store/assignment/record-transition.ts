import type { AssignmentEvent, AssignmentState } from '../../domain/assignment/assignment-event.ts';
import { requireTransition } from '../../domain/assignment/transitions.ts';
import type { Sql } from '../db/database.ts';
import type { LeadRow } from '../leads/lead-tables.ts';
import { changeLead } from '../leads/write-lead.ts';
import type { LockedLead } from './lock-lead.ts';
import type { TransitionFacts } from './transition-rows.ts';

/** What happened to an assignment, and the facts that belong to it. */
export type EventWithFacts = { event: AssignmentEvent } & Partial<TransitionFacts>;

export function assignmentStateOf(lead: LeadRow): AssignmentState {
  return {
    status: lead.assignment_status,
    round: lead.round,
    moves: lead.moves,
    isPersonal: lead.is_personal,
    isResponded: lead.agent_responded_at !== null,
    isClockRunning: lead.follow_up_due_at !== null,
  };
}

/** Writes what an event makes of a locked lead. */
export async function recordTransition(
  sql: Sql,
  { lead, lastHolderId: previousAgentId }: LockedLead,
  { event, ...facts }: EventWithFacts & TransitionFacts,
): Promise<void> {
  const transition = requireTransition(assignmentStateOf(lead), event);
  const change = { updated_at: facts.now.toISOString() };
  await changeLead(
    sql,
    lead,
    { change, transition: { transition, previousAgentId, ...facts } },
    facts.now,
  );
}
