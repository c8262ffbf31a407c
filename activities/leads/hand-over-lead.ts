import { assertNever } from '../../domain/assert-never.ts';
import { refuseHandOver, type HandedTo, type HandOver } from '../../domain/assignment/hand-over.ts';
import type { AssignmentEvent } from '../../domain/assignment/assignment-event.ts';
import {
  followUpAfterClaim,
  followUpMsOf,
  routingDefaults,
  type FollowUp,
} from '../../domain/routing/follow-up.ts';
import {
  lockLead,
  routingFacts,
  type FactsTime,
  type LockedLead,
} from '../../store/assignment/lock-lead.ts';
import { markUndone, readHandOver } from '../../store/assignment/hand-overs.ts';
import { assignmentStateOf } from '../../store/leads/lead-json.ts';
import { type EventWithFacts, recordTransition } from '../../store/assignment/record-transition.ts';
import type { Sql } from '../../store/db/database.ts';
import { readAgent, readAgentCalendar } from '../../store/routing/agents.ts';
import type {
  HandOverOutcome,
  HandOverRefusal,
  HandOverRequest,
} from '../../workflows/contracts/lead-lifecycle.ts';
import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import { logTrace, type ActivityContext } from '../context.ts';
import {
  describeRouting,
  factsTime,
  matchLead,
  recordIfWaiting,
  routeByRules,
  type RoutedEvent,
} from './route-lead.ts';

/** Each request is carried out once: a retry returns the recorded destination. */
export async function handOverLead(
  context: ActivityContext,
  sql: Sql,
  { leadId, handOverId }: HandOverRequest & { leadId: string },
): Promise<HandOverOutcome> {
  const locked = await lockLead(sql, leadId);
  if (!locked) return refuse('unknown_lead', 'unassigned');
  const { lead } = locked;
  logTrace(lead.traceparent);
  const request = await readHandOver(sql, handOverId, leadId);
  if (!request) return refuse('unknown_request', lead.assignment_status);
  const { handOver, outcome } = request;
  if (outcome) return { moved: true, to: outcome };
  const { owner_id: ownerId, updated_at: updatedAt } = lead;
  const held = { ...assignmentStateOf(lead), ownerId, updatedAt };
  const refusal = refuseHandOver(handOver, held);
  if (refusal) return refuse(refusal, lead.assignment_status);
  if (handOver.undoes) await markUndone(sql, handOverId, leadId);
  const ready = (handOver.undoes && (await lockLead(sql, leadId))) || locked;
  const decided = await decideHandOver(context, sql, ready, { ...handOver, id: handOverId });
  if (decided === 'agent_not_active') {
    if (handOver.undoes) await markUndone(sql, handOverId, null);
    return refuse(decided, lead.assignment_status);
  }
  const { now, newId } = context;
  await recordTransition(sql, ready, { now: now(), newId, handOverId, ...decided });
  return { moved: true, to: destinationAfter(decided.event) };
}

function refuse(reason: HandOverRefusal, status: LeadStatus): HandOverOutcome {
  return { moved: false, reason, status };
}

async function decideHandOver(
  context: ActivityContext,
  sql: Sql,
  locked: LockedLead,
  request: HandOver & { id: string },
): Promise<EventWithFacts | 'agent_not_active'> {
  const { target, movesPersonal } = request;
  const chosen = { why: [], isUndo: isUndo(request) };
  switch (target.kind) {
    case 'agent': {
      const agent = await readAgent(sql, target.agentId);
      if (!agent?.active) return 'agent_not_active';
      const [followUp, now] = [await followUpTerms(context, sql, locked), context.now()];
      const followUpMs = followUpMsOf(followUp, await readAgentCalendar(sql, agent.id, now), now);
      const event = {
        kind: 'operator_assigned',
        ...chosen,
        agent,
        followUpMs,
        movesPersonal,
      } as const;
      return { event, followUp, now };
    }
    case 'pool':
      return { event: { kind: 'operator_pooled', ...chosen, poolId: target.poolId } };
    case 'nobody':
      return { event: { kind: 'operator_unassigned', ...chosen } };
    case 'rules':
      return rerouteLead(context, sql, locked, request);
    default:
      return assertNever(target);
  }
}

/** The terms after a claim, with the follow-up time of the former owner. */
async function followUpTerms(
  { rulesets, config }: ActivityContext,
  sql: Sql,
  { terms }: LockedLead,
): Promise<FollowUp> {
  const { followUpMinutes } = routingDefaults(config);
  const { minutes = followUpMinutes, clock } = terms?.followUp ?? {};
  const rule = await rulesets.assigningRule(sql, terms);
  return { ...followUpAfterClaim(rule, { followUpMinutes: minutes }), ...(clock && { clock }) };
}

/** Keeps excluded agents and adds the owner, unless this undoes a transfer. Earlier owners may get the lead again. */
async function rerouteLead(
  context: ActivityContext,
  sql: Sql,
  locked: LockedLead,
  request: HandOver & { id: string },
): Promise<EventWithFacts> {
  const taken = takenFromBy(request, locked, factsTime(context));
  const lead = await matchLead(context, sql, locked, {
    excludedAgentIds: [],
    ...(!request.undoes && { waits: [] }),
    takenFromAgentIds: taken.length > 0 ? taken : undefined,
  });
  const routed = await routeByRules(context, sql, lead);
  const routing = await describeRouting(sql, lead, routed);
  const event = byOperator(routing.event, request);
  const isWaiting = await recordIfWaiting(sql, lead, routed, {
    routing,
    round: locked.lead.round + 1,
    handOverId: request.id,
  });
  return isWaiting ? { now: routing.now, event } : { ...routing, event };
}

function takenFromBy({ undoes, liftsExclusion }: HandOver, locked: LockedLead, time: FactsTime) {
  if (liftsExclusion) return [];
  const { takenFromAgentIds = [] } = routingFacts(locked, time);
  const holder = undoes ? null : locked.lead.owner_id;
  return holder ? [...new Set([...takenFromAgentIds, holder])].toSorted() : takenFromAgentIds;
}

const isUndo = ({ undoes }: HandOver) => Boolean(undoes);

function byOperator(routed: RoutedEvent, request: HandOver): AssignmentEvent {
  const event = { ...routed, isUndo: isUndo(request) };
  switch (event.kind) {
    case 'routed_to_agent':
      return { ...event, kind: 'operator_assigned', movesPersonal: false };
    case 'routed_to_pool':
      return { ...event, kind: 'operator_pooled' };
    case 'left_unassigned':
      return { ...event, kind: 'operator_unassigned' };
    case 'waiting':
      return { ...event, kind: 'operator_waiting' };
    default:
      return assertNever(event);
  }
}

function destinationAfter(event: AssignmentEvent): HandedTo {
  if (event.kind === 'operator_waiting') return { kind: 'waiting' };
  if ('agent' in event) return { kind: 'agent', agentId: event.agent.id };
  return 'poolId' in event ? { kind: 'pool', poolId: event.poolId } : { kind: 'nobody' };
}
