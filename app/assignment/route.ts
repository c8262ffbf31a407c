import { assertNever } from '../../domain/assert-never.ts';
import type { AssignmentCause } from '../../domain/assignment/assignment-cause.ts';
import { allows } from '../../domain/assignment/transitions.ts';
import { noteText } from '../../domain/leads/timeline-notes.ts';
import type { LeadFacts } from '../../domain/routing/condition.ts';
import { decide, reassign } from '../../domain/routing/decide.ts';
import { type Decision, summarise } from '../../domain/routing/decision.ts';
import { asksForContactOwner } from '../../domain/routing/eligibility.ts';
import { decideExpiry, routingDefaults } from '../../domain/routing/follow-up.ts';
import {
  candidatesOf,
  type MatchedRules,
  matchRules,
  poolsOf,
} from '../../domain/routing/match-rules.ts';
import { type Roster, rosterOf } from '../../domain/routing/roster.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import {
  type FactsTime,
  type LockedLead,
  readContactOwner,
  readLockedLeads,
  routingFacts,
} from '../../store/assignment/lock-lead.ts';
import type { Sql } from '../../store/db/database.ts';
import type { AgentReach } from '../../store/leads/waiting-leads.ts';
import { type LockedRoster, requireAgent } from '../../store/routing/decisions.ts';
import type { AssignmentContext, Decided, Reach } from './change-leads.ts';

export interface Routable extends LockedLead {
  matched: MatchedRules;
  /** If its follow-up expired: the lead stays with its owner until another agent of this rule can take it. */
  expiredRule?: Rule;
}

export interface Routing {
  decision: Decision;
  /** What the decision saw. */
  roster: Roster;
}

export function isPending({ lead }: Pick<LockedLead, 'lead'>): boolean {
  return allows(lead.assignment_status, 'routed_to_agent');
}

/** The owner's response deadline ended without a response, or never started. */
const isUnanswered = ({ lead }: LockedLead): boolean =>
  !(lead.follow_up_due_at ?? lead.agent_responded_at ?? lead.erased_at);

/** Without leads that the rules do not place now. The leads are locked, or the result is only a forecast. */
export async function readRoutable(
  context: AssignmentContext,
  sql: Sql,
  leadIds: readonly string[],
): Promise<Routable[]> {
  const leads: Routable[] = [];
  for (const locked of await readLockedLeads(sql, leadIds)) {
    const match = isPending(locked) ? matchLead : isUnanswered(locked) ? matchExpired : null;
    const lead = await match?.(context, sql, locked);
    if (lead) leads.push(lead);
  }
  return leads;
}

export async function matchLead(
  context: AssignmentContext,
  sql: Sql,
  locked: LockedLead,
  ofNewRound: Partial<LeadFacts> = {},
): Promise<Routable> {
  const facts = { ...routingFacts(locked, factsTime(context)), ...ofNewRound };
  const ruleset = await context.rulesets.byVersion(sql, locked.rulesetVersion);
  return { ...locked, matched: matchRules(facts, ruleset) };
}

/** Null if the rule does not move the lead. */
export async function matchExpired(
  context: AssignmentContext,
  sql: Sql,
  locked: LockedLead,
): Promise<Routable | null> {
  const { lead, current } = locked;
  const rule = await context.rulesets.assigningRule(sql, current);
  if (!rule || !current?.followUpDueAt) return null;
  if (decideExpiry(current.followUp, lead.moves) !== 'reassign') return null;
  // Just before the end, agents excluded until then still are, so that the lead does not return to them.
  const now = new Date(Date.parse(current.followUpDueAt) - 1);
  const facts = routingFacts(locked, { ...factsTime(context), now });
  return {
    ...locked,
    rulesetVersion: Number(current.rulesetVersion),
    matched: matchRules(facts, { rules: [{ ...rule, when: [] }] }),
    expiredRule: rule,
  };
}

export function factsTime({ config, now }: AssignmentContext): FactsTime {
  return { now: now(), followUpMs: config.followUpMs };
}

export function reachOf({ matched }: Routable): Reach {
  return { ...candidatesOf(matched), poolIds: poolsOf(matched) };
}

/** An earlier decision of the same transaction may have changed the owner of the contact. */
export async function refreshContactOwner(sql: Sql, { lead, matched }: Routable): Promise<void> {
  if (matched.rules.some(({ rule }) => asksForContactOwner(rule)))
    matched.facts.contactOwnerId = await readContactOwner(sql, lead.id);
}

export function decideRouting(
  { config }: Pick<AssignmentContext, 'config'>,
  { matched, expiredRule }: Routable,
  at: Pick<LockedRoster, 'roster' | 'now'>,
): Routing {
  const roster = rosterOf(at.roster, candidatesOf(matched));
  const defaults = routingDefaults(config);
  const decision = expiredRule
    ? reassign(expiredRule, matched.facts, roster, at.now, defaults)
    : decide(matched, roster, at.now, defaults);
  return { decision, roster };
}

/** The agents whom the lead needs. After a follow-up, only those who had no turn in this round. */
export function agentsFor({ matched, expiredRule }: Routable, { roster }: Routing): AgentReach {
  const agentIds = roster.agents.map(({ id }) => id);
  if (!expiredRule) return { teamIds: candidatesOf(matched).teamIds, agentIds };
  const { excludedAgentIds } = matched.facts;
  return { teamIds: [], agentIds: agentIds.filter((id) => !excludedAgentIds.includes(id)) };
}

type Placement = Omit<Decided<unknown>, 'outcome'>;

/** What follows from the decision of the rules. */
export function placeByRules(lead: Routable, routing: Routing, at: LockedRoster): Placement {
  const { cause, because } = describeRouting(lead, routing, at);
  const queue = queueIfWaiting(lead, routing, at, { cause, round: lead.lead.round });
  const { ruleName } = routing.decision;
  const isKnown = lead.waits.some((wait) => wait.isOfRound && wait.ruleName === ruleName);
  if (queue && (isKnown || lead.expiredRule)) return { queue };
  const isMove = lead.expiredRule && cause.kind === 'routed_to_agent';
  const moved: AssignmentCause = isMove ? { ...cause, kind: 'follow_up_reassigned' } : cause;
  return { cause: moved, because, ...(queue && { queue }) };
}

export function queueIfWaiting(
  lead: Routable,
  routing: Routing,
  { now }: LockedRoster,
  terms: { cause: AssignmentCause; round: number; handOverId?: string },
): Placement['queue'] {
  const { decision, roster } = routing;
  if (decision.kind !== 'waiting') return undefined;
  const { ruleName, dueAt, endsAt, explanation } = decision;
  const { referenceVersion, rulesetVersion, matched, expiredRule } = lead;
  const queue = { dueAt, reach: agentsFor(lead, routing), referenceVersion };
  if (expiredRule) return queue;
  const { cause, round, handOverId = null } = terms;
  const why = { reason: noteText(cause), facts: matched.facts, roster, explanation };
  return {
    ...queue,
    wait: { ruleName, rulesetVersion, round, handOverId, dueAt, endsAt, now, ...why },
  };
}

type RoutedCause = Extract<
  AssignmentCause,
  { kind: 'routed_to_agent' | 'routed_to_pool' | 'left_unassigned' | 'waiting' }
>;

export function describeRouting(
  { rulesetVersion, matched: { facts } }: Routable,
  { decision, roster }: Routing,
  at: Pick<LockedRoster, 'people' | 'pools'>,
) {
  const { ruleName, explanation } = decision;
  const seen = { ruleName, rulesetVersion, decision: { facts, roster, explanation } };
  const { followUp, rotation } = decision.kind === 'assigned' ? decision : {};
  return { cause: causeOf(decision, at), because: { ...seen, followUp, rotation } };
}

/** Agents by id, because workflow histories show these lines. */
function causeOf(
  decision: Decision,
  { people, pools }: Pick<LockedRoster, 'people' | 'pools'>,
): RoutedCause {
  const poolId = decision.kind === 'pool' ? decision.poolId : null;
  const why = summarise(decision.explanation, (id) =>
    id === poolId ? `'${pools.get(id) ?? id}'` : `agent ${id}`,
  );
  switch (decision.kind) {
    case 'assigned': {
      const { agentId, followUpMs } = decision;
      return { kind: 'routed_to_agent', why, agent: requireAgent(people, agentId), followUpMs };
    }
    case 'pool':
      return { kind: 'routed_to_pool', why, poolId: decision.poolId };
    case 'waiting':
      return { kind: 'waiting', why };
    case 'unassigned':
      return { kind: 'left_unassigned', why };
    default:
      return assertNever(decision);
  }
}
