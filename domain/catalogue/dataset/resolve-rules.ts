import * as z from 'zod';
import { conditionSchema } from '../../routing/condition-schema.ts';
import { ruleSchema } from '../../routing/rule-schema.ts';
import type { Condition, Rule } from '../../routing/types.ts';
import { formatPath } from '../../format-path.ts';
import type { Fault } from './dataset-error.ts';
import { brokenKey } from './parse-dataset.ts';
import type { RecordIds } from './record-ids.ts';
import { namedRuleSchema } from './records/rules.ts';
import type { NamedRule } from './records/rules.ts';
import type { RuleNames } from './rule-names.ts';
import type { Indexed, SectionName } from './sections.ts';

interface Scope {
  ids: RecordIds;
  names: RuleNames;
  broken: ReadonlySet<string>;
  faults: Fault[];
}

/** Rules as they are stored, names turned into ids. With a fault the rules are of no use. */
export function resolveRules(
  rules: readonly Indexed<NamedRule>[],
  given: Omit<Scope, 'faults'>,
): { rules: Rule[]; faults: Fault[] } {
  const scope: Scope = { ...given, faults: [] };
  return { rules: rules.map((rule) => resolveRule(rule, scope)), faults: scope.faults };
}

/** What can be read of a rule that is at fault: its names are looked up all the same. */
const legibleRule = z.object({
  when: z.array(z.array(conditionSchema.nullable().catch(null)).catch([])).catch([]),
  target: namedRuleSchema.shape.target.nullable().catch(null),
  onExhausted: namedRuleSchema.shape.onExhausted.catch({ kind: 'next' }),
  followUp: z.object({ pool: z.string().nullish().catch(null) }).catch({ pool: null }),
});

export function brokenRuleFaults(
  records: readonly Indexed<unknown>[],
  given: Omit<Scope, 'faults'>,
): Fault[] {
  const scope: Scope = { ...given, faults: [] };
  for (const { value, index } of records) {
    const { data: rule } = legibleRule.safeParse(value);
    if (rule) lookUpNames(rule, index, scope);
  }
  return scope.faults;
}

function lookUpNames(rule: z.output<typeof legibleRule>, index: number, scope: Scope): void {
  const at = (...path: PropertyKey[]) => formatPath(['rules', index, ...path]);
  const { when, target, onExhausted, followUp } = rule;
  for (const [either, all] of when.entries())
    for (const [each, condition] of all.entries())
      if (condition) resolveCondition(condition, at('when', either, each), scope);
  if (target) resolveTarget(target, at('target', 'name'), scope);
  if (onExhausted.kind === 'pool')
    idOf('pools', onExhausted.name, at('onExhausted', 'name'), scope);
  if (followUp.pool) idOf('pools', followUp.pool, at('followUp', 'pool'), scope);
}

function resolveRule({ value: rule, index }: Indexed<NamedRule>, scope: Scope): Rule {
  const at = (...path: PropertyKey[]) => formatPath(['rules', index, ...path]);
  const { pool, ...followUp } = rule.followUp;
  return ruleSchema.parse({
    ...rule,
    when: rule.when.map((all, either) =>
      all.map((condition, each) => resolveCondition(condition, at('when', either, each), scope)),
    ),
    target: resolveTarget(rule.target, at('target', 'name'), scope),
    onExhausted:
      rule.onExhausted.kind === 'pool'
        ? {
            kind: 'pool',
            poolId: idOf('pools', rule.onExhausted.name, at('onExhausted', 'name'), scope),
          }
        : rule.onExhausted,
    followUp: {
      ...followUp,
      poolId: pool ? idOf('pools', pool, at('followUp', 'pool'), scope) : null,
    },
  });
}

function resolveTarget({ kind, name }: NamedRule['target'], place: string, scope: Scope) {
  switch (kind) {
    case 'agent':
      return { kind, agentId: idOf('agents', name, place, scope) };
    case 'team':
      return { kind, teamId: idOf('teams', name, place, scope) };
    case 'pool':
      return { kind, poolId: idOf('pools', name, place, scope) };
  }
}

function resolveCondition(condition: Condition, place: string, scope: Scope): Condition {
  if (condition.op === 'between' || condition.op === 'exists') return condition;
  const values = condition.values.flatMap((value, at) => {
    const found = scope.names.resolve(condition.field, value);
    if (found.length === 0) {
      const message = `no ${condition.field} is called "${String(value)}"`;
      scope.faults.push({ place: `${place}.values[${at}]`, message });
    }
    return found.length === 0 ? [value] : found;
  });
  return { ...condition, values } as Condition;
}

function idOf(section: SectionName, name: string, place: string, scope: Scope): string {
  const id = scope.ids.find(section, name);
  if (id !== undefined) return id;
  if (!scope.broken.has(brokenKey(section, name))) {
    scope.faults.push({ place, message: `no record of ${section} is called "${name}"` });
  }
  return '';
}
