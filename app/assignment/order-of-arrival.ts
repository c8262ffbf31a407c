import { asksForContactOwner } from '../../domain/routing/eligibility.ts';
import { candidatesOf, matchRules } from '../../domain/routing/match-rules.ts';
import {
  enquiryFacts,
  readUnlockedLeads,
  type UnlockedLead,
} from '../../store/assignment/lock-lead.ts';
import type { Sql } from '../../store/db/database.ts';
import {
  type AgentReach,
  isBehindOthers,
  queueLead,
  readUndecidedBefore,
} from '../../store/leads/waiting-leads.ts';
import type { AssignmentContext } from './change-leads.ts';
import { agentsFor, factsTime, type Routable, type Routing } from './route.ts';

/** Agents with capacity for so many leads count as uncapped: no leads compete for them. */
const PLENTY = 500;

/** True if leads that came before may need the same agents. Read once the agents are locked. */
export async function isBehind(
  context: AssignmentContext,
  sql: Sql,
  lead: Routable,
  routing: Routing,
  now: Date,
): Promise<boolean> {
  const { decision } = routing;
  const mayWait = lead.matched.rules.some(({ rule }) => rule.onExhausted.kind === 'wait');
  const isRival = decision.kind === 'assigned' && (decision.room < PLENTY || mayWait);
  const place = { leadId: lead.lead.id, now, reach: agentsFor(lead, routing) };
  if (isRival && (await isBehindOthers(sql, place))) return true;
  return queueRivals(context, sql, lead, routing, now);
}

/** Queues earlier leads that compete for the agents or the contact: after an outage, workflows run in any order. */
export async function queueRivals(
  context: AssignmentContext,
  sql: Sql,
  lead: Routable,
  routing: Routing,
  now: Date,
): Promise<boolean> {
  const { decision } = routing;
  const { agentIds } = agentsFor(lead, routing);
  const place = { leadId: lead.lead.id, agentIds };
  if (lead.matched.rules.some(({ rule }) => asksForContactOwner(rule))) {
    const ofContact = await readUndecidedBefore(sql, { ...place, isOfContact: true });
    for (const leadId of ofContact.leadIds)
      await queueLead(sql, leadId, { dueAt: now, reach: { ...ofContact, agentIds } });
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
  for (const leadId of rivals) await queueLead(sql, leadId, { dueAt: now, reach });
  return true;
}

async function competes(
  context: AssignmentContext,
  sql: Sql,
  lead: UnlockedLead,
  reach: AgentReach,
) {
  const wanted = await candidatesByEnquiry(context, sql, lead);
  return (
    wanted.teamIds.some((id) => reach.teamIds.includes(id)) ||
    wanted.agentIds.some((id) => reach.agentIds.includes(id))
  );
}

export async function candidatesByEnquiry(
  context: AssignmentContext,
  sql: Sql,
  lead: UnlockedLead,
) {
  const ruleset = await context.rulesets.byVersion(sql, lead.rulesetVersion);
  return candidatesOf(matchRules(enquiryFacts(lead, factsTime(context)), ruleset));
}
