import { contentHash } from '../canonical-json.ts';
import type { Entry } from '../catalogue/lookups/lookup-list.ts';
import type { NoteContent } from '../leads/timeline-notes.ts';
import type { LeadFacts } from '../routing/condition.ts';
import { type Explanation, whyUnassigned } from '../routing/decision.ts';
import type { FollowUp } from '../routing/follow-up.ts';
import type { Roster } from '../routing/roster.ts';
import { buildLeadEvent, type EventData, type LeadEventType } from '../webhooks/event-payloads.ts';
import { cutText } from '../written-text.ts';
import type { AssignmentCause, AssignmentStatus } from './assignment-cause.ts';
import type { EventRequirements, Transition } from './transitions.ts';

/** Columns of a lead that only `recordsOf` decides. Times are ISO 8601. */
export interface AssignmentColumns {
  assignment_status: AssignmentStatus;
  owner_id: string | null;
  pool_id: string | null;
  round: number;
  moves: number;
  assigned_at: string | null;
  placed_at: string;
  placed_by_rule: string | null;
  follow_up_due_at: string | null;
  event_sequence: number;
}

/** What the records say of the lead, with its other changes. */
interface RecordedLead {
  id: string;
  client_id: string;
  contact_id: string;
  created_at: string;
  integration_ref?: string | null;
  is_repeat_lead: boolean;
  repeat_of_lead_id: string | null;
  is_agent_enquiry: boolean;
  intake_unresolved: object | null;
  traceparent?: string | null;
}

export interface ChangeFacts {
  now: Date;
  newId: () => string;
  clientId?: string;
  ruleName?: string | null;
  rulesetVersion?: number | null;
  followUp?: FollowUp | null;
  claimId?: string;
  handOverId?: string;
  previousAgentId?: string | null;
  decision?: { facts: LeadFacts; roster: Roster; explanation: Explanation };
}

export interface RecordedChange extends ChangeFacts {
  transition: Transition;
}

interface Subjects {
  poolName: string;
  source: Entry | null;
}

type Before = Omit<AssignmentColumns, 'assignment_status' | 'round' | 'moves' | 'placed_at'> & {
  assignment_status: AssignmentColumns['assignment_status'] | null;
  placed_at: string | null;
};

export const NO_ASSIGNMENT: Before = {
  assignment_status: null,
  owner_id: null,
  pool_id: null,
  assigned_at: null,
  placed_at: null,
  placed_by_rule: null,
  follow_up_due_at: null,
  event_sequence: 0,
};

export type Records = ReturnType<typeof recordsOf>;

/** The columns and rows of a change: history, decision, note and webhook events. `store/leads/write-lead.ts` writes them. */
export function recordsOf(
  lead: RecordedLead,
  before: Before,
  recorded: RecordedChange,
  subjects: Subjects,
) {
  const { transition, now, newId, clientId } = recorded;
  const { note } = transition;
  const id = newId();
  const assignments = historyRows(id, lead, before, recorded);
  const integrationRef = lead.integration_ref ?? null;
  const context = { ...recorded, ...subjects, lead, leadId: lead.id, integrationRef };
  const webhook_events = transition.webhookEvents.map((type, index) =>
    buildEventRow(type, before.event_sequence + index + 1, context),
  );
  return {
    columns: assignmentColumns(before, recorded),
    /** Also for a lead that waited for another agent than its owner. */
    endsWait: transition.status !== 'pending' && transition.clock.kind !== 'keep',
    rows: {
      assignments,
      ...(transition.history ? decisionRows(id, recorded) : {}),
      timeline_notes: note
        ? [buildTimelineRow({ leadId: lead.id, now, newId, clientId, ...note })]
        : [],
      webhook_events,
    },
  };
}

export function assignmentColumns(
  before: Before,
  { transition, now, ruleName }: Pick<RecordedChange, 'transition' | 'now' | 'ruleName'>,
): AssignmentColumns {
  const { status, round, moves, holder, clock, webhookEvents } = transition;
  return {
    assignment_status: status,
    round,
    moves,
    ...placeColumns(before, transition, now, ruleName),
    ...holderColumns(before, holder, now),
    follow_up_due_at: dueAt(before, clock, now),
    event_sequence: before.event_sequence + webhookEvents.length,
  };
}

/** An index entry has a limited length. `lead list --rule` cuts its argument to the same. */
const INDEXED_CHARACTERS = 255;

/** An event that does not move the lead keeps its placement, also a failed attempt to move it. */
function placeColumns(
  { assignment_status, pool_id, placed_at, placed_by_rule }: Before,
  { status, holder }: Transition,
  now: Date,
  ruleName: string | null = null,
) {
  const isMoved = holder.kind === 'agent' || (holder.kind === 'pool' && holder.poolId !== pool_id);
  if (placed_at !== null && !isMoved && status === assignment_status)
    return { placed_at, placed_by_rule };
  const indexed = cutText(ruleName, INDEXED_CHARACTERS);
  return { placed_at: now.toISOString(), placed_by_rule: status === 'pending' ? null : indexed };
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

function historyRows(id: string, lead: RecordedLead, before: Before, recorded: RecordedChange) {
  const { transition, now, ruleName, rulesetVersion, followUp, claimId, handOverId } = recorded;
  const { history, holder, clock } = transition;
  if (!history) return [];
  const { status, round, move } = history;
  return [
    {
      id,
      lead_id: lead.id,
      round,
      move,
      status,
      agent_id: holder.kind === 'agent' ? holder.agent.id : null,
      previous_agent_id: recorded.previousAgentId,
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

function decisionRows(assignmentId: string, recorded: ChangeFacts) {
  const { decision, rulesetVersion } = recorded;
  if (!decision || !rulesetVersion) return {};
  const { facts, roster, explanation } = decision;
  return {
    routing_decisions: [
      {
        assignment_id: assignmentId,
        ruleset_version: rulesetVersion,
        facts,
        facts_hash: contentHash(facts),
        roster,
        roster_hash: contentHash(roster),
        explanation,
      },
    ],
  };
}

type Note = NoteContent & {
  leadId: string;
  now: Date;
  newId: () => string;
  clientId?: string | null;
};

/** Texts name integrations and fields, never a customer. */
export function buildTimelineRow({ clientId = null, ...note }: Note) {
  const { leadId, now, newId, kind, text, data = {} } = note;
  const at = now.toISOString();
  return { id: newId(), lead_id: leadId, at, kind, client_id: clientId, text, data };
}

interface EventContext extends RecordedChange, Subjects {
  lead: RecordedLead;
  leadId: string;
  integrationRef: string | null;
}

/** Safe: a row of the table names only webhook events for which its assignment event has the facts. */
function buildEventRow<Type extends LeadEventType>(
  type: Type,
  sequence: number,
  context: EventContext,
) {
  const { lead, transition, newId, now } = context;
  const cause = transition.cause as AssignmentCause & EventRequirements[Type];
  const numbered = { id: `evt_${newId()}`, sequence, at: now };
  const event = buildLeadEvent(type, numbered, dataBuilders[type](cause, context));
  const { id: lead_id, client_id, traceparent } = lead;
  return { ...event, lead_id, client_id, traceparent, created_at: now.toISOString() };
}

function whyLeft(
  kind: EventRequirements['lead.unassigned']['kind'],
  explanation: Explanation | undefined,
) {
  if (kind === 'operator_waiting') return 'waiting';
  return kind === 'operator_unassigned' && !explanation ? 'operator' : whyUnassigned(explanation);
}

const dataBuilders: {
  [Type in LeadEventType]: (
    cause: EventRequirements[Type],
    context: EventContext,
  ) => EventData[Type];
} = {
  'lead.created': (_cause, { lead, leadId, integrationRef, transition, source }) => ({
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
  'lead.assigned': ({ agent }, { leadId, integrationRef, previousAgentId = null, now }) => ({
    leadId,
    status: 'assigned',
    agent,
    assignedAt: now.toISOString(),
    previousAgentId,
    integrationRef,
  }),
  'lead.pooled': (_cause, { leadId, integrationRef, poolName }) => ({
    leadId,
    status: 'pool',
    poolName,
    integrationRef,
  }),
  'lead.unassigned': ({ kind }, { leadId, integrationRef, decision }) => ({
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
  'lead.enquired': ({ enquiry }, { leadId, integrationRef, now }) => ({
    leadId,
    enquiredAt: now.toISOString(),
    ...enquiry,
    integrationRef,
  }),
};
