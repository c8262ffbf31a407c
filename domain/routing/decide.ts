import { assertNever } from '../assert-never.ts';
import { chooseAgent } from './choose-agent.ts';
import type { Choice } from './choose-agent.ts';
import type { Decision, Defaults } from './decision.ts';
import { explain, traceOf } from './explain.ts';
import type { RuleOutcome, RuleTrace } from './explanation.ts';
import { followUpOf } from './follow-up.ts';
import type { LeadFacts } from './lead-facts.ts';
import { matchRule } from './match-rule.ts';
import type { Match } from './match-rule.ts';
import type { Roster } from './roster.ts';
import { rulesInOrder } from './rule-order.ts';
import type { Rule, Ruleset } from './rule-schema.ts';
import { buildRoutingContext } from './routing-context.ts';
import type { RoutingContext } from './routing-context.ts';

/** Where a rule leaves the lead; null: on to the next rule. */
type Ending = WithoutExplanation<Decision> | null;
type WithoutExplanation<T> = T extends unknown ? Omit<T, 'explanation'> : never;

/**
 * Who gets a lead. The rules are tried in order and the first that can place the lead does; after the
 * last one it is `unassigned`. Every input has an answer, and the same input always the same one.
 */
export function decide(
  facts: LeadFacts,
  ruleset: Ruleset,
  roster: Roster,
  now: Date,
  defaults: Defaults,
): Decision {
  const context = buildRoutingContext(facts, roster, now, defaults);
  const traces: RuleTrace[] = [];
  let ending: Ending = null;
  for (const ranked of rulesInOrder(ruleset, facts)) {
    const tried: Tried = ending === null ? tryRule(ranked.rule, context) : notReached;
    traces.push(traceOf(ranked, tried.outcome));
    ending ??= tried.ending;
  }
  return { ...(ending ?? { kind: 'unassigned', ruleName: null }), explanation: explain(traces) };
}

interface Tried {
  outcome: RuleOutcome;
  ending: Ending;
}

const notReached: Tried = { outcome: { outcome: 'not_reached' }, ending: null };

function tryRule(rule: Rule, context: RoutingContext): Tried {
  const match = matchRule(rule, context.facts);
  if (!match.matched) return notMatched(match);
  const { target } = rule;
  if (target.kind === 'pool') return intoPool(rule, target.poolId);
  return placed(rule, chooseAgent(rule, target, context), context);
}

function notMatched({ failed }: Extract<Match, { matched: false }>): Tried {
  const fields = [...new Set(failed.map(({ field }) => field))].join(', ');
  return {
    outcome: { outcome: 'not_matched', failed, why: `its condition on ${fields} failed` },
    ending: null,
  };
}

function intoPool({ target, name: ruleName }: Rule, poolId: string): Tried {
  const selection = { by: 'pool', poolId } as const;
  const why = 'the rule leaves the lead in this pool';
  return {
    outcome: { outcome: 'chosen', target, selection, why },
    ending: { kind: 'pool', poolId, ruleName },
  };
}

function placed(rule: Rule, choice: Choice, context: RoutingContext): Tried {
  if (choice.kind === 'exhausted') {
    const { agents, why } = choice;
    const outcome: RuleOutcome = { outcome: 'exhausted', agents, then: rule.onExhausted, why };
    return { outcome, ending: afterExhausted(rule) };
  }
  const { agentId, selection, rotation, why } = choice;
  const followUp = followUpOf(rule, context.defaults);
  return {
    outcome: { outcome: 'chosen', target: rule.target, selection, why },
    ending: { kind: 'assigned', agentId, ruleName: rule.name, followUp, rotation },
  };
}

function afterExhausted({ name: ruleName, onExhausted }: Rule): Ending {
  switch (onExhausted.kind) {
    case 'next':
      return null;
    case 'pool':
      return { kind: 'pool', poolId: onExhausted.poolId, ruleName };
    case 'unassigned':
      return { kind: 'unassigned', ruleName };
    default:
      return assertNever(onExhausted);
  }
}
