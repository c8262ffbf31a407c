import { assertNever } from '../assert-never.ts';
import { chooseAgent, outcomeOf, type Choice } from './choose-agent.ts';
import type { Decision } from './decision.ts';
import type { RuleOutcome, RuleTrace } from './explanation.ts';
import { followUpOf, type Defaults } from './follow-up.ts';
import type { Match, MatchedRules } from './match-rules.ts';
import { buildRoutingContext, type Roster, type RoutingContext } from './roster.ts';
import type { Rule } from './rule-schema.ts';

/** Where a rule leaves the lead; null: on to the next rule. */
type Ending = WithoutExplanation<Decision> | null;
type WithoutExplanation<T> = T extends unknown ? Omit<T, 'explanation'> : never;

interface Tried {
  outcome: RuleOutcome;
  ending: Ending;
}

const NOT_REACHED: Tried = { outcome: { outcome: 'not_reached' }, ending: null };

/**
 * Who gets a lead. The rules are tried in order and the first that can place the lead does; after the
 * last one it is `unassigned`. Every input has a decision, and the same input always the same one.
 */
export function decide(
  { facts, rules }: MatchedRules,
  roster: Roster,
  now: Date,
  defaults: Defaults,
): Decision {
  const context = buildRoutingContext(facts, roster, now, defaults);
  const traces: RuleTrace[] = [];
  let ending: Ending = null;
  for (const ranked of rules) {
    const tried: Tried =
      ending === null ? tryRule(ranked.rule, ranked.match, context) : NOT_REACHED;
    const { name, order } = ranked.rule;
    traces.push({ name, order, claimed: ranked.claimed, ...tried.outcome });
    ending ??= tried.ending;
  }
  const explanation = { version: 1, rules: traces } as const;
  return { ...(ending ?? { kind: 'unassigned', ruleName: null }), explanation };
}

function tryRule(rule: Rule, match: Match, context: RoutingContext): Tried {
  switch (match.kind) {
    case 'not_reached':
      return NOT_REACHED;
    case 'failed':
      return explainFailure(match);
    case 'matched':
      return rule.target.kind === 'pool'
        ? leaveInPool(rule, rule.target.poolId)
        : giveToAgent(rule, chooseAgent(rule, rule.target, context), context);
    default:
      return assertNever(match);
  }
}

function explainFailure({ failed }: Extract<Match, { kind: 'failed' }>): Tried {
  const fields = [...new Set(failed.map(({ field }) => field))].join(', ');
  const why = `its condition on ${fields} failed`;
  return { outcome: { outcome: 'not_matched', failed, why }, ending: null };
}

function leaveInPool({ target, name: ruleName }: Rule, poolId: string): Tried {
  const selection = { by: 'pool', poolId } as const;
  const why = 'the rule leaves the lead in this pool';
  return {
    outcome: { outcome: 'chosen', target, selection, why },
    ending: { kind: 'pool', poolId, ruleName },
  };
}

function giveToAgent(rule: Rule, choice: Choice, context: RoutingContext): Tried {
  const outcome = outcomeOf(rule, choice, rule.onExhausted);
  if (choice.kind === 'exhausted') return { outcome, ending: afterExhausted(rule) };
  const agentId = choice.selection.chosen;
  const terms = { followUp: followUpOf(rule, context.defaults), rotation: choice.rotation };
  return { outcome, ending: { kind: 'assigned', agentId, ruleName: rule.name, ...terms } };
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
