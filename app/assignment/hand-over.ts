import { assertNever } from '../../domain/assert-never.ts';
import type { AssignmentCause } from '../../domain/assignment/assignment-cause.ts';
import { type HandedTo, type HandOver, refuseHandOver } from '../../domain/assignment/hand-over.ts';
import {
  type FollowUp,
  followUpAfterClaim,
  followUpMsOf,
  routingDefaults,
} from '../../domain/routing/follow-up.ts';
import { agentCalendar } from '../../domain/routing/roster.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import { readHandOver } from '../../store/assignment/hand-overs.ts';
import { logTrace } from '../../platform/log-fields.ts';
import { type LockedLead, lockLead, routingFacts } from '../../store/assignment/lock-lead.ts';
import type { Sql } from '../../store/db/database.ts';
import { assignmentStateOf } from '../../store/leads/lead-json.ts';
import type {
  HandOverOutcome,
  HandOverRefusal,
  HandOverRequest,
} from '../../workflows/contracts/lead-lifecycle.ts';
import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import type { LockedRoster } from '../../store/routing/decisions.ts';
import {
  type AssignmentContext,
  changeLeads,
  type Decided,
  NOBODY,
  type Reach,
} from './change-leads.ts';
import {
  decideRouting,
  describeRouting,
  factsTime,
  matchLead,
  queueIfWaiting,
  reachOf,
  type Routable,
} from './route.ts';

interface HandedLead extends LockedLead {
  handOver: HandOver;
  /** The request was refused, or carried out before. */
  answer: HandOverOutcome | null;
  /** The rule of the last terms. */
  rule: Rule | null;
  /** If the lead goes back to the rules. */
  routable: Routable | null;
}

/** Each request is carried out once: a retry returns the recorded destination. */
export async function handOverLead(
  context: AssignmentContext,
  sql: Sql,
  { leadId, handOverId }: HandOverRequest & { leadId: string },
): Promise<HandOverOutcome> {
  let unknown: HandOverOutcome = refuse('unknown_lead', 'unassigned');
  const { outcomes } = await changeLeads(context, sql, {
    requestId: handOverId,
    async lock(sql): Promise<HandedLead[]> {
      const locked = await lockLead(sql, leadId, handOverId);
      logTrace(locked?.lead.traceparent);
      const request = locked && (await readHandOver(sql, handOverId, leadId));
      if (locked && !request) unknown = refuse('unknown_request', locked.lead.assignment_status);
      if (!request) return [];
      const { handOver, outcome } = request;
      const answer = outcome
        ? ({ moved: true, to: outcome } as const)
        : refusalOf(locked, handOver);
      const isRouted = answer === null && handOver.target.kind === 'rules';
      return [
        {
          ...locked,
          handOver,
          answer,
          rule: await context.rulesets.assigningRule(sql, locked.terms),
          routable: isRouted ? await matchAgain(context, sql, locked, handOver) : null,
        },
      ];
    },
    reach: reachOfRequest,
    decide: (lead, at) => decideHandOver(context, lead, handOverId, at),
  });
  return outcomes.get(leadId) ?? unknown;
}

function refuse(reason: HandOverRefusal, status: LeadStatus): HandOverOutcome {
  return { moved: false, reason, status };
}

function refusalOf({ lead }: LockedLead, handOver: HandOver): HandOverOutcome | null {
  const { owner_id: ownerId, updated_at: updatedAt } = lead;
  const refusal = refuseHandOver(handOver, { ...assignmentStateOf(lead), ownerId, updatedAt });
  return refusal && refuse(refusal, lead.assignment_status);
}

/** Keeps excluded agents and adds the owner, unless this undoes a transfer. Earlier owners may get the lead again. */
function matchAgain(
  context: AssignmentContext,
  sql: Sql,
  locked: LockedLead,
  handOver: HandOver,
): Promise<Routable> {
  const taken = takenFromBy(context, locked, handOver);
  return matchLead(context, sql, locked, {
    excludedAgentIds: [],
    ...(!handOver.undoes && { waits: [] }),
    takenFromAgentIds: taken.length > 0 ? taken : undefined,
  });
}

function takenFromBy(
  context: AssignmentContext,
  locked: LockedLead,
  { undoes, liftsExclusion }: HandOver,
): readonly string[] {
  if (liftsExclusion) return [];
  const { takenFromAgentIds = [] } = routingFacts(locked, factsTime(context));
  const owner = undoes ? null : locked.lead.owner_id;
  return owner ? [...new Set([...takenFromAgentIds, owner])].toSorted() : takenFromAgentIds;
}

function reachOfRequest({ answer, handOver: { target }, routable }: HandedLead): Reach | null {
  if (answer) return null;
  if (routable) return reachOf(routable);
  return {
    ...NOBODY,
    agentIds: target.kind === 'agent' ? [target.agentId] : [],
    poolIds: target.kind === 'pool' ? [target.poolId] : [],
  };
}

function decideHandOver(
  context: AssignmentContext,
  lead: HandedLead,
  handOverId: string,
  at: LockedRoster,
): Decided<HandOverOutcome> {
  if (lead.answer) return { outcome: lead.answer };
  const { handOver, routable } = lead;
  const { target, movesPersonal } = handOver;
  const chosen = { why: [], isUndo: isUndo(handOver) };
  switch (target.kind) {
    case 'agent': {
      const agent = at.people.get(target.agentId);
      if (!agent?.active)
        return { outcome: refuse('agent_not_active', lead.lead.assignment_status) };
      const followUp = followUpTerms(context, lead);
      const followUpMs = followUpMsOf(followUp, agentCalendar(at.roster, agent.id), at.now);
      const cause = {
        kind: 'operator_assigned',
        ...chosen,
        agent,
        followUpMs,
        movesPersonal,
      } as const;
      return moved(cause, { followUp, handOverId });
    }
    case 'pool':
      return moved({ kind: 'operator_pooled', ...chosen, poolId: target.poolId }, { handOverId });
    case 'nobody':
      return moved({ kind: 'operator_unassigned', ...chosen }, { handOverId });
    case 'rules': // matched under the lock
      return sendBack(context, routable as Routable, handOver, handOverId, at);
    default:
      return assertNever(target);
  }
}

const isUndo = ({ undoes }: HandOver) => Boolean(undoes);

function moved(
  cause: AssignmentCause,
  because: NonNullable<Decided<unknown>['because']>,
): Decided<HandOverOutcome> {
  const undoneBy = 'isUndo' in cause && cause.isUndo ? because.handOverId : null;
  return { outcome: { moved: true, to: destinationAfter(cause) }, cause, because, undoneBy };
}

/** The terms after a claim, with the follow-up time of the former owner. */
function followUpTerms({ config }: AssignmentContext, { terms, rule }: HandedLead): FollowUp {
  const { followUpMinutes } = routingDefaults(config);
  const { minutes = followUpMinutes, clock } = terms?.followUp ?? {};
  return { ...followUpAfterClaim(rule, { followUpMinutes: minutes }), ...(clock && { clock }) };
}

function sendBack(
  context: AssignmentContext,
  routable: Routable,
  handOver: HandOver,
  handOverId: string,
  at: LockedRoster,
): Decided<HandOverOutcome> {
  const routing = decideRouting(context, routable, at);
  const { cause: routed, because } = describeRouting(routable, routing, at);
  const cause = byOperator(routed, isUndo(handOver));
  const round = routable.lead.round + 1;
  const queue = queueIfWaiting(routable, routing, at, { cause: routed, round, handOverId });
  return queue
    ? { ...moved(cause, { handOverId }), queue }
    : moved(cause, { ...because, handOverId });
}

function byOperator(
  routed: ReturnType<typeof describeRouting>['cause'],
  isUndo: boolean,
): AssignmentCause {
  switch (routed.kind) {
    case 'routed_to_agent':
      return { ...routed, isUndo, kind: 'operator_assigned', movesPersonal: false };
    case 'routed_to_pool':
      return { ...routed, isUndo, kind: 'operator_pooled' };
    case 'left_unassigned':
      return { ...routed, isUndo, kind: 'operator_unassigned' };
    case 'waiting':
      return { ...routed, isUndo, kind: 'operator_waiting' };
    default:
      return assertNever(routed);
  }
}

function destinationAfter(cause: AssignmentCause): HandedTo {
  if (cause.kind === 'operator_waiting') return { kind: 'waiting' };
  if ('agent' in cause) return { kind: 'agent', agentId: cause.agent.id };
  return 'poolId' in cause ? { kind: 'pool', poolId: cause.poolId } : { kind: 'nobody' };
}
