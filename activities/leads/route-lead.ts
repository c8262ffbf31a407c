import { assertNever } from '../../domain/assert-never.ts';
import type { AssignmentEvent } from '../../domain/assignment/assignment-event.ts';
import { noteText } from '../../domain/leads/timeline-notes.ts';
import { allows } from '../../domain/assignment/transitions.ts';
import { decide, reassign } from '../../domain/routing/decide.ts';
import { asksForContactOwner } from '../../domain/routing/eligibility.ts';
import { summarise, type Decision } from '../../domain/routing/decision.ts';
import { decideExpiry, routingDefaults } from '../../domain/routing/follow-up.ts';
import type { LeadFacts } from '../../domain/routing/condition.ts';
import { candidatesOf, matchRules, type MatchedRules } from '../../domain/routing/match-rules.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import { readDecisionNames } from '../../store/routing/names.ts';
import { lockAndReadRoster, requireAgent, type LockedRoster } from '../../store/routing/roster.ts';
import {
  enquiryFacts,
  readUnlockedLeads,
  routingFacts,
  type FactsTime,
  type LockedLead,
  type UnlockedLead,
} from '../../store/assignment/lock-lead.ts';
import { recordTransition, type EventWithFacts } from '../../store/assignment/record-transition.ts';
import {
  isBehindOthers,
  queueLead,
  readUndecidedBefore,
  type Reach,
} from '../../store/leads/waiting-leads.ts';
import { recordWait } from '../../store/leads/write-lead.ts';
import type { Sql } from '../../store/db/database.ts';
import type { ActivityContext } from '../context.ts';

export interface Routable {
  locked: LockedLead;
  matched: MatchedRules;
  /** If its follow-up expired: the lead stays with its owner until another agent of this rule can take it. */
  expiredRule?: Rule;
}

export interface Routed extends LockedRoster {
  decision: Decision;
}

/** Returns false if the lead joined the queue, since leads that came before may need the same agents. */
export async function recordOrQueue(
  context: ActivityContext,
  sql: Sql,
  lead: Routable,
  routed: Routed,
): Promise<boolean> {
  const isQueued = await isBehind(context, sql, lead, routed);
  if (isQueued) await queueBehind(sql, lead, routed);
  else await recordDecision(context, sql, lead, routed);
  return !isQueued;
}

/** The owner of the queue decides later, after the leads that came before. */
export function queueBehind(sql: Sql, lead: Routable, routed: Routed): Promise<void> {
  const place = { leadId: lead.locked.lead.id, dueAt: routed.now, reach: reachOf(lead, routed) };
  return queueLead(sql, place);
}

/** Agents with capacity for so many leads count as uncapped: no leads compete for them. */
const PLENTY = 500;

export async function isBehind(context: ActivityContext, sql: Sql, lead: Routable, routed: Routed) {
  const { decision, now } = routed;
  const place = { leadId: lead.locked.lead.id, now, reach: reachOf(lead, routed) };
  const mayWait = lead.matched.rules.some(({ rule }) => rule.onExhausted.kind === 'wait');
  const isRival = decision.kind === 'assigned' && (decision.room < PLENTY || mayWait);
  if (isRival && (await isBehindOthers(sql, place))) return true;
  return queueRivals(context, sql, lead, routed);
}

/** Queues earlier leads that compete for the agents or the contact: after an outage, workflows run in any order. */
export async function queueRivals(
  context: ActivityContext,
  sql: Sql,
  lead: Routable,
  routed: Routed,
): Promise<boolean> {
  const { decision, now } = routed;
  const { agentIds } = reachOf(lead, routed);
  const place = { leadId: lead.locked.lead.id, agentIds };
  if (lead.matched.rules.some(({ rule }) => asksForContactOwner(rule))) {
    const ofContact = await readUndecidedBefore(sql, { ...place, isOfContact: true });
    for (const leadId of ofContact.leadIds)
      await queueLead(sql, { leadId, dueAt: now, reach: { ...ofContact, agentIds } });
    if (ofContact.leadIds.length > 0) return true;
  }
  if (decision.kind !== 'assigned' || decision.room >= PLENTY) return false;
  const { leadIds, teamIds } = await readUndecidedBefore(sql, { ...place, isOfContact: false });
  const reach = { teamIds, agentIds };
  const rivals: string[] = [];
  while (leadIds.length > 0 && rivals.length < decision.room)
    for (const found of await readUnlockedLeads(sql, leadIds.splice(0, PLENTY)))
      if (await competes(context, sql, found, reach)) rivals.push(found.lead.id);
  if (rivals.length < decision.room) return false;
  for (const leadId of rivals) await queueLead(sql, { leadId, dueAt: now, reach });
  return true;
}

async function competes(context: ActivityContext, sql: Sql, lead: UnlockedLead, reach: Reach) {
  const wanted = await candidatesByEnquiry(context, sql, lead);
  return (
    wanted.teamIds.some((id) => reach.teamIds.includes(id)) ||
    wanted.agentIds.some((id) => reach.agentIds.includes(id))
  );
}

export async function candidatesByEnquiry(context: ActivityContext, sql: Sql, lead: UnlockedLead) {
  const ruleset = await context.rulesets.byVersion(sql, lead.rulesetVersion);
  return candidatesOf(matchRules(enquiryFacts(lead, factsTime(context)), ruleset));
}

/** After a follow-up, only agents who had no turn in this round. */
export function reachOf(lead: Routable, { roster }: Pick<Routed, 'roster'>): Reach {
  const { matched, expiredRule } = lead;
  const agentIds = roster.agents.map(({ id }) => id);
  if (!expiredRule) return { teamIds: candidatesOf(matched).teamIds, agentIds };
  const { excludedAgentIds } = matched.facts;
  return { teamIds: [], agentIds: agentIds.filter((id) => !excludedAgentIds.includes(id)) };
}

export function isPending({ lead }: Pick<LockedLead, 'lead'>): boolean {
  return allows(lead.assignment_status, 'routed_to_agent');
}

/** The owner's response deadline ended without a response, or never started. */
export const isUnanswered = ({ lead }: LockedLead): boolean =>
  !(lead.follow_up_due_at ?? lead.agent_responded_at ?? lead.erased_at);

export async function matchLead(
  context: ActivityContext,
  sql: Sql,
  locked: LockedLead,
  ofNewRound: Partial<LeadFacts> = {},
): Promise<Routable> {
  const facts = { ...routingFacts(locked, factsTime(context)), ...ofNewRound };
  const ruleset = await context.rulesets.byVersion(sql, locked.rulesetVersion);
  return { locked, matched: matchRules(facts, ruleset) };
}

/** Null if the rule does not move the lead. */
export async function matchExpired(context: ActivityContext, sql: Sql, locked: LockedLead) {
  const { lead, current } = locked;
  const rule = await context.rulesets.assigningRule(sql, current);
  if (!rule || !current?.followUpDueAt) return null;
  if (decideExpiry(current.followUp, lead.moves) !== 'reassign') return null;
  // Just before the end, agents excluded until then still are, so that the lead does not return to them.
  const now = new Date(Date.parse(current.followUpDueAt) - 1);
  const facts = routingFacts(locked, { ...factsTime(context), now });
  return {
    locked: { ...locked, rulesetVersion: Number(current.rulesetVersion) },
    matched: matchRules(facts, { rules: [{ ...rule, when: [] }] }),
    expiredRule: rule,
  };
}

export function factsTime({ config, now }: ActivityContext): FactsTime {
  return { now: now(), followUpMs: config.followUpMs };
}

/** Later than the last decided waits of the leads, whichever worker decided those. */
export function clockAfterWaits({ now }: ActivityContext, leads: readonly Routable[]): () => Date {
  const times = leads.flatMap(({ locked: { waitDecidedAt } }) =>
    waitDecidedAt ? [Date.parse(waitDecidedAt) + 1] : [],
  );
  return () => new Date(Math.max(now().getTime(), ...times));
}

export async function routeByRules(
  context: ActivityContext,
  sql: Sql,
  lead: Routable,
): Promise<Routed> {
  const clock = clockAfterWaits(context, [lead]);
  const locked = await lockAndReadRoster(sql, candidatesOf(lead.matched), clock);
  return { ...locked, decision: decideLead(context, lead, locked) };
}

export function decideLead(
  { config }: ActivityContext,
  { matched, expiredRule }: Routable,
  { roster, now }: Pick<Routed, 'roster' | 'now'>,
): Decision {
  const defaults = routingDefaults(config);
  if (expiredRule) return reassign(expiredRule, matched.facts, roster, now, defaults);
  return decide(matched, roster, now, defaults);
}

export async function recordDecision(
  { newId }: ActivityContext,
  sql: Sql,
  lead: Routable,
  routed: Routed,
): Promise<void> {
  const routing = await describeRouting(sql, lead, routed);
  const { waits, lead: row } = lead.locked;
  const isWaiting = await recordIfWaiting(sql, lead, routed, { routing, round: row.round });
  const isKnown = waits.some((wait) => wait.isOfRound && wait.ruleName === routing.ruleName);
  if (isWaiting && (isKnown || lead.expiredRule)) return;
  const { event } = routing;
  const isMove = lead.expiredRule && event.kind === 'routed_to_agent';
  const moved = isMove && ({ event: { ...event, kind: 'follow_up_reassigned' } } as const);
  await recordTransition(sql, lead.locked, { newId, ...routing, ...moved });
}

export async function recordIfWaiting(
  sql: Sql,
  lead: Routable,
  routed: Routed,
  {
    routing,
    round,
    handOverId = null,
  }: { routing: Routing; round: number; handOverId?: string | null },
): Promise<boolean> {
  if (routed.decision.kind !== 'waiting') return false;
  const { ruleName, dueAt, endsAt } = routed.decision;
  const { event, decision, rulesetVersion, now } = routing;
  const { lead: row, referenceVersion } = lead.locked;
  const place = { leadId: row.id, dueAt, reach: reachOf(lead, routed), referenceVersion };
  if (lead.expiredRule) await queueLead(sql, place);
  else {
    const reason = noteText(event);
    const terms = { round, handOverId, ruleName, rulesetVersion, endsAt, reason, now };
    await recordWait(sql, { ...place, ...terms, ...decision });
  }
  return true;
}

type Routing = Awaited<ReturnType<typeof describeRouting>>;

export type RoutedEvent = Extract<
  AssignmentEvent,
  { kind: 'routed_to_agent' | 'routed_to_pool' | 'left_unassigned' | 'waiting' }
>;

export async function describeRouting(
  sql: Sql,
  { locked: { rulesetVersion }, matched: { facts } }: Routable,
  { decision, roster, people, now }: Routed,
) {
  const { ruleName, explanation } = decision;
  const kept = { now, ruleName, rulesetVersion, decision: { facts, roster, explanation } };
  return { ...kept, ...(await eventOf(sql, decision, people)) };
}

async function eventOf(
  sql: Sql,
  decision: Decision,
  people: Routed['people'],
): Promise<Pick<EventWithFacts, 'followUp' | 'rotation'> & { event: RoutedEvent }> {
  const why = summarise(decision.explanation, await readDecisionNames(sql, decision));
  switch (decision.kind) {
    case 'assigned': {
      const { followUp, followUpMs, rotation } = decision;
      const agent = requireAgent(people, decision.agentId);
      return { event: { kind: 'routed_to_agent', why, agent, followUpMs }, followUp, rotation };
    }
    case 'pool':
      return { event: { kind: 'routed_to_pool', why, poolId: decision.poolId } };
    case 'waiting':
      return { event: { kind: 'waiting', why } };
    case 'unassigned':
      return { event: { kind: 'left_unassigned', why } };
    default:
      return assertNever(decision);
  }
}
