import { type Rule } from './rules.ts';
import { rulesInOrder } from './match-rules.ts';

/** Not by changes of the rule's own fields. `waiting`: number of leads that wait by it. */
export type RuleLoss =
  | { kind: 'missing' | 'switched_off'; rule: string; waiting?: number }
  | { kind: 'emptied'; rule: string; field: 'when' | 'claims' }
  | { kind: 'moved'; rule: string; behind: string | null };

export function findRuleLosses(before: readonly Rule[], after: readonly Rule[]): RuleLoss[] {
  const earlier = enabledInOrder(before);
  const later = enabledInOrder(after);
  const known = new Map(after.map((rule) => [rule.name, rule]));
  const losses = earlier.flatMap((rule): RuleLoss[] => {
    const { name } = rule;
    const next = known.get(name);
    if (!next) return [{ kind: 'missing', rule: name }];
    if (!next.enabled) return [{ kind: 'switched_off', rule: name }];
    return (['when', 'claims'] as const)
      .filter((field) => rule[field].length > 0 && next[field].length === 0)
      .map((field) => ({ kind: 'emptied', rule: name, field }));
  });
  return [...losses, ...findMoved(earlier, later)];
}

export function withWaiting(
  losses: readonly RuleLoss[],
  waiting: ReadonlyMap<string, number>,
): RuleLoss[] {
  return losses.map((loss) => {
    const leads = waiting.get(loss.rule);
    const isOff = loss.kind === 'missing' || loss.kind === 'switched_off';
    return isOff && leads !== undefined ? { ...loss, waiting: leads } : loss;
  });
}

function enabledInOrder(rules: readonly Rule[]): Rule[] {
  return rulesInOrder({ rules }, { distributionType: null }).map(({ rule }) => rule);
}

/** The fewest rules that have to move to get from one order to the other. */
function findMoved(before: readonly Rule[], after: readonly Rule[]): RuleLoss[] {
  const positions = new Map(before.map(({ name }, at) => [name, at]));
  const shared = after.map(({ name }) => name).filter((name) => positions.has(name));
  const inPlace = longestAscending(shared, (name) => positions.get(name) ?? 0);
  return shared.flatMap((rule, at) =>
    inPlace.has(rule) ? [] : [{ kind: 'moved', rule, behind: shared[at - 1] ?? null }],
  );
}

function longestAscending(names: readonly string[], positionOf: (name: string) => number) {
  const endingHere: string[][] = [];
  for (const name of names) {
    const earlier = endingHere.filter((chain) => positionOf(chain.at(-1) ?? '') < positionOf(name));
    const longest = earlier.toSorted((a, b) => b.length - a.length)[0] ?? [];
    endingHere.push([...longest, name]);
  }
  return new Set(endingHere.toSorted((a, b) => b.length - a.length)[0]);
}
