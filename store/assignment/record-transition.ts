import type { AssignmentEvent } from '../../domain/assignment/assignment-event.ts';
import { requireTransition } from '../../domain/assignment/transitions.ts';
import type { Sql } from '../db/database.ts';
import { assignmentStateOf } from '../leads/lead-json.ts';
import type { TransitionFacts } from '../leads/transition-rows.ts';
import { changeLead } from '../leads/write-lead.ts';
import type { LockedLead } from './lock-lead.ts';

export type EventWithFacts = { event: AssignmentEvent } & Partial<TransitionFacts>;

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
