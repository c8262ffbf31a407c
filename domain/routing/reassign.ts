import { chooseAgent, outcomeOf, type Choice } from './choose-agent.ts';
import type { Reassignment } from './decision.ts';
import type { Explanation } from './explanation.ts';
import { followUpOf, type Defaults } from './follow-up.ts';
import type { LeadFacts } from './lead-facts.ts';
import { claimsLead } from './claims.ts';
import { buildRoutingContext, type Roster, type RoutingContext } from './roster.ts';
import type { Rule } from './rule-schema.ts';

/**
 * The follow-up's move: the next eligible agent of the rule that assigned the lead, by the same eligibility
 * and rotation. `facts.excludedAgentIds` names everyone who held the lead in this round, so a
 * named agent has no successor.
 */
export function reassign(
  rule: Rule,
  facts: LeadFacts,
  roster: Roster,
  now: Date,
  defaults: Defaults,
): Reassignment {
  const context = buildRoutingContext(facts, roster, now, defaults);
  const choice = chooseNext(rule, context);
  const { name, order, claims } = rule;
  const claimed = claimsLead(claims, facts.distributionType);
  const trace = { name, order, claimed, ...outcomeOf(rule, choice, null) };
  const explanation: Explanation = { version: 1, rules: [trace] };
  if (choice.kind === 'exhausted') return { kind: 'none', ruleName: name, explanation };
  const { selection, rotation } = choice;
  const followUp = followUpOf(rule, defaults);
  return {
    kind: 'assigned',
    agentId: selection.chosen,
    ruleName: name,
    followUp,
    rotation,
    explanation,
  };
}

function chooseNext(rule: Rule, context: RoutingContext): Choice {
  const { target } = rule;
  if (target.kind !== 'pool') return chooseAgent(rule, target, context);
  return { kind: 'exhausted', agents: [], why: 'a pool has no next agent' };
}
