import { assertNever } from '../assert-never.ts';
import { chooseAgent } from './choose-agent.ts';
import type { Decision, RuleOutcome, RuleTrace, Wait, Reassignment } from './decision.ts';
import type { Defaults } from './follow-up.ts';
import { leaveOf, type Rule } from './rules.ts';
import { claimsLead, type Match, type MatchedRules } from './match-rules.ts';
import { buildRoutingContext, type Roster, type RoutingContext } from './roster.ts';
import { findNextMoment, findWait, type Exhausted } from './wait.ts';
import type { LeadFacts } from './condition.ts';

type Ending = WithoutExplanation<Decision> | null;
type WithoutExplanation<T> = T extends unknown ? Omit<T, 'explanation'> : never;

interface Tried {
  outcome: RuleOutcome;
  ending: Ending;
}

const NOT_REACHED: Tried = { outcome: { outcome: 'not_reached' }, ending: null };

export function decide(
  { facts, rules }: MatchedRules,
  roster: Roster,
  now: Date,
  defaults: Defaults,
): Decision {
  const context = buildRoutingContext(facts, roster, now, defaults);
  const traces: RuleTrace[] = [];
  const exhausted: Exhausted[] = [];
  let ending: Ending = null;
  for (const ranked of rules) {
    const tried: Tried = ending === null ? tryRule(ranked, exhausted, context) : NOT_REACHED;
    const { name, order, gates } = ranked.rule;
    if (tried.outcome.outcome === 'exhausted')
      exhausted.push({ gates, agents: tried.outcome.agents });
    traces.push({ name, order, claimed: ranked.claimed, ...tried.outcome });
    ending ??= tried.ending;
  }
  const explanation = { version: 1, rules: traces } as const;
  return { ...(ending ?? { kind: 'unassigned', ruleName: null }), explanation };
}

function tryRule(
  { rule, match }: MatchedRules['rules'][number],
  before: readonly Exhausted[],
  context: RoutingContext,
): Tried {
  switch (match.kind) {
    case 'not_reached':
      return NOT_REACHED;
    case 'failed':
      return explainFailure(match);
    case 'matched':
      return placeLead(rule, before, context);
    default:
      return assertNever(match);
  }
}

function explainFailure({ failed }: Extract<Match, { kind: 'failed' }>): Tried {
  const fields = [...new Set(failed.map(({ field }) => field))].join(', ');
  const why = `its condition on ${fields} failed`;
  return { outcome: { outcome: 'not_matched', failed, why }, ending: null };
}

function placeLead(rule: Rule, before: readonly Exhausted[], context: RoutingContext): Tried {
  const { name: ruleName, target } = rule;
  if (target.kind === 'pool') {
    const selection = { by: 'pool', poolId: target.poolId } as const;
    const why = 'the rule leaves the lead in this pool';
    const outcome = { outcome: 'chosen', target, selection, why } as const;
    return { outcome, ending: { ...target, ruleName } };
  }
  const leave = leaveOf(rule);
  const { outcome, assigned } = chooseAgent(rule, target, context, leave);
  if (outcome.outcome === 'exhausted') {
    const wait = findWait(rule, outcome.agents, before, context);
    if (wait) return awaitAgents(rule, outcome, wait);
  }
  if (assigned || leave.kind === 'next') return { outcome, ending: assigned };
  return { outcome, ending: { ...leave, ruleName } };
}

function awaitAgents(
  { name: ruleName }: Rule,
  { agents, why }: Extract<RuleOutcome, { outcome: 'exhausted' }>,
  wait: Wait,
): Tried {
  const [dueAt, endsAt] = [new Date(wait.dueAt), new Date(wait.endsAt)];
  return {
    outcome: { outcome: 'waiting', agents, why, ...wait },
    ending: { kind: 'waiting', ruleName, dueAt, endsAt },
  };
}

/** Uses `facts.excludedAgentIds`, all owners of this round, so that an agent whom the rule names has no successor. */
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
  const rules: RuleTrace[] = [{ name, order, claimed, ...outcome }];
  const explanation = { version: 1, rules } as const;
  if (assigned) return { ...assigned, explanation };
  const agents = outcome.outcome === 'exhausted' ? outcome.agents : [];
  const dueAt = findNextMoment({ gates: rule.gates, agents }, context);
  return { kind: 'waiting', ruleName: name, dueAt, endsAt: dueAt, explanation };
}

const NO_NEXT_AGENT: ReturnType<typeof chooseAgent> = {
  outcome: { outcome: 'exhausted', agents: [], then: null, why: 'a pool has no next agent' },
  assigned: null,
};
