import type { AssignmentEvent, AssignmentState } from '../../domain/assignment/assignment-event.ts';
import { requireTransition, type Transition } from '../../domain/assignment/transitions.ts';
import { contentHash } from '../../domain/routing/content-hash.ts';
import type { CreditChange } from '../../domain/routing/decision.ts';
import type { Explanation } from '../../domain/routing/explanation.ts';
import type { FollowUp } from '../../domain/routing/follow-up.ts';
import type { LeadFacts } from '../../domain/routing/lead-facts.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import type { Sql } from '../db/database.ts';
import { readPoolName } from '../routing/pools.ts';
import { buildTransitionEvents, type EventFacts } from './transition-events.ts';
import { wakeWaitingLeads } from './waits.ts';
import type { AssignmentColumns, LeadRow } from '../leads/lead-tables.ts';
import { buildEventRow, buildTimelineRow } from '../leads/lead-rows.ts';
import { changeLead } from '../leads/write-lead.ts';

/** How a transition came about. */
export interface TransitionFacts extends EventFacts {
  /** The integration that caused it. */
  clientId?: string;
  ruleName?: string | null;
  rulesetVersion?: number | null;
  /** The terms of the follow-up. */
  followUp?: FollowUp | null;
  claimId?: string;
  /** The operator's request that moved the lead. */
  handOverId?: string;
  /** What the rules decided from, kept for good. */
  decision?: { facts: LeadFacts; roster: Roster; explanation: Explanation };
  rotation?: readonly CreditChange[];
}

/** What happened to an assignment, and the facts that belong to it. */
export type EventWithFacts = { event: AssignmentEvent } & Partial<TransitionFacts>;

/** What of the lead was before the transition. */
type Before = Omit<AssignmentColumns, 'assignment_status' | 'round' | 'moves'>;

/** Before a lead is created. */
export const NO_ASSIGNMENT: Before = {
  owner_id: null,
  pool_id: null,
  assigned_at: null,
  follow_up_due_at: null,
  event_sequence: 0,
};

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

/** Writes what an event makes of a locked lead: state, history, note, webhook event and rotation, in one statement. */
export async function recordTransition(
  sql: Sql,
  lead: LeadRow,
  { event, ...facts }: EventWithFacts & TransitionFacts,
): Promise<void> {
  const transition = requireTransition(assignmentStateOf(lead), event);
  const updated_at = facts.now.toISOString();
  const { holder } = transition;
  const poolName = holder.kind === 'pool' ? await readPoolName(sql, holder.poolId) : undefined;
  const rows = {
    change: { ...assignmentColumns(lead, transition, facts.now), updated_at },
    ...buildTransitionRows(lead, lead, transition, { ...facts, ...(poolName && { poolName }) }),
    credits: facts.rotation ?? [],
  };
  await changeLead(sql, lead.id, rows, facts.now);
  if (lead.owner_id && holder.kind !== 'unchanged') await wakeWaitingLeads(sql, facts.now);
}

/** The columns of a lead's own row; nothing else writes them but a response. */
export function assignmentColumns(
  before: Before,
  { status, round, moves, holder, clock, webhookEvents }: Transition,
  now: Date,
): AssignmentColumns {
  return {
    assignment_status: status,
    round,
    moves,
    ...holderColumns(before, holder, now),
    follow_up_due_at: dueAt(before, clock, now),
    event_sequence: before.event_sequence + webhookEvents.length,
  };
}

function holderColumns(before: Before, holder: Transition['holder'], now: Date) {
  const { owner_id, pool_id, assigned_at } = before;
  if (holder.kind === 'unchanged') return { owner_id, pool_id, assigned_at };
  const agentId = holder.kind === 'agent' ? holder.agent.id : null;
  return {
    owner_id: agentId,
    pool_id: holder.kind === 'pool' ? holder.poolId : null,
    assigned_at: agentId && now.toISOString(),
  };
}

function dueAt(before: Before, clock: Transition['clock'], now: Date): string | null {
  if (clock.kind === 'keep') return before.follow_up_due_at;
  return clock.kind === 'start' ? new Date(now.getTime() + clock.followUpMs).toISOString() : null;
}

/** What a transition adds to a lead: at most one row of history and one note, and its webhook events. */
export function buildTransitionRows(
  lead: LeadRow,
  before: Before,
  transition: Transition,
  facts: TransitionFacts,
) {
  const { note } = transition;
  const { now, newId, clientId } = facts;
  const id = newId();
  const assignments = historyRows(id, lead, before, transition, facts);
  return {
    assignments,
    routing_decisions: assignments.length > 0 ? decisionRows(id, facts) : [],
    timeline_notes: note
      ? [buildTimelineRow({ leadId: lead.id, now, newId, clientId, ...note })]
      : [],
    webhook_events: buildTransitionEvents(lead, before, transition, facts).map((event) =>
      buildEventRow(event, lead, now),
    ),
  };
}

function historyRows(
  id: string,
  lead: LeadRow,
  before: Before,
  { history, status, round, moves, holder, clock }: Transition,
  { now, ruleName, rulesetVersion, followUp, claimId, handOverId }: TransitionFacts,
) {
  if (!history || status === 'pending') return [];
  return [
    {
      ...{ id, lead_id: lead.id, round, move: moves, status },
      agent_id: holder.kind === 'agent' ? holder.agent.id : null,
      previous_agent_id: before.owner_id,
      pool_id: holder.kind === 'pool' ? holder.poolId : null,
      decided_by: history.decidedBy,
      rule_name: ruleName,
      ruleset_version: rulesetVersion,
      reason: history.reason,
      follow_up: followUp,
      follow_up_due_at: dueAt(before, clock, now),
      claim_id: claimId,
      hand_over_id: handOverId,
      decided_at: now.toISOString(),
    },
  ];
}

function decisionRows(assignmentId: string, { decision, rulesetVersion }: TransitionFacts) {
  if (!decision || !rulesetVersion) return [];
  return [
    {
      ...decision,
      assignment_id: assignmentId,
      ruleset_version: rulesetVersion,
      facts_hash: contentHash(decision.facts),
      roster_hash: contentHash(decision.roster),
    },
  ];
}
