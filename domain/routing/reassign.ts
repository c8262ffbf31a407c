import { chooseAgent } from './choose-agent.ts';
import { claimsLead } from './claims.ts';
import type { Reassignment } from './decision.ts';
import type { Defaults } from './follow-up.ts';
import type { LeadFacts } from './lead-facts.ts';
import { buildRoutingContext, type Roster } from './roster.ts';
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
  const { name, order, target } = rule;
  const context = buildRoutingContext(facts, roster, now, defaults);
  const { outcome, assigned } =
    target.kind === 'pool' ? NO_NEXT_AGENT : chooseAgent(rule, target, context, null);
  const claimed = claimsLead(rule.claims, facts.distributionType);
  return {
    ...(assigned ?? { kind: 'none', ruleName: name }),
    explanation: { version: 1, rules: [{ name, order, claimed, ...outcome }] },
  };
}

const NO_NEXT_AGENT: ReturnType<typeof chooseAgent> = {
  outcome: { outcome: 'exhausted', agents: [], then: null, why: 'a pool has no next agent' },
  assigned: null,
};
