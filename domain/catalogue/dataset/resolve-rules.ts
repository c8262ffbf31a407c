import * as z from 'zod';
import { conditionSchema, namesRecords, type Condition } from '../../routing/condition.ts';
import { ruleSchema, type Rule } from '../../routing/rules.ts';
import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import { recordKey } from './parse-dataset.ts';
import type { RecordIds } from './record-ids.ts';
import { namedRuleSchema, type NamedRule } from './records.ts';
import type { ResolveValue } from './rule-values.ts';
import type { Indexed, SectionName } from './sections.ts';

interface Scope {
  ids: RecordIds;
  resolveValue: ResolveValue;
  invalidKeys: ReadonlySet<string>;
}

/** Rules as they are stored, names turned into ids. Where there is any issue the rules are unusable. */
export function resolveRules(
  rules: readonly Indexed<NamedRule>[],
  scope: Scope,
): { rules: Rule[]; issues: DatasetIssue[] } {
  const issues: DatasetIssue[] = [];
  const resolved = rules.map(({ value: rule, index }) => {
    const { pool, ...followUp } = rule.followUp;
    const { poolId, ...named } = resolveNames({ ...rule, pool }, index, scope, issues);
    return ruleSchema.parse({ ...rule, ...named, followUp: { ...followUp, poolId } });
  });
  return { rules: resolved, issues };
}

/** What is readable of an invalid rule. */
const readableRule = z
  .object({
    when: z.array(z.array(conditionSchema.nullable().catch(null)).catch([])).catch([]),
    target: namedRuleSchema.shape.target.nullable().catch(null),
    onExhausted: namedRuleSchema.shape.onExhausted.catch({ kind: 'next' }),
    followUp: z.object({ pool: z.string().nullish().catch(null) }).catch({ pool: null }),
  })
  .transform(({ followUp, ...rule }) => ({ ...rule, pool: followUp.pool }));

/** The names in invalid rules that no record has. */
export function findUnknownNames(
  records: readonly Indexed<unknown>[],
  scope: Scope,
): DatasetIssue[] {
  const issues: DatasetIssue[] = [];
  for (const { value, index } of records) {
    const { data: rule } = readableRule.safeParse(value);
    if (rule) resolveNames(rule, index, scope, issues);
  }
  return issues;
}

type NamedLeave = Exclude<NamedRule['onExhausted'], { kind: 'wait' }>;

/** The names of one rule as ids; adds an issue for each name that no record has. */
function resolveNames(
  { when, target, onExhausted, pool }: z.output<typeof readableRule>,
  index: number,
  { ids, resolveValue, invalidKeys }: Scope,
  issues: DatasetIssue[],
) {
  const addIssue = (path: readonly PropertyKey[], message: string) =>
    void issues.push(issueAt(['rules', index, ...path], message));

  function idOf(section: SectionName, name: string, ...path: string[]): string {
    const id = ids.find(section, name);
    if (id === undefined && !invalidKeys.has(recordKey(section, name)))
      addIssue(path, `no record of ${section} is called "${name}"`);
    return id ?? '';
  }

  function resolveCondition(condition: Condition | null, ...path: PropertyKey[]) {
    if (!condition || !namesRecords(condition)) return condition;
    const values = condition.values.flatMap((value, at) => {
      const found = resolveValue(condition.field, value);
      if (found.length > 0) return found;
      addIssue([...path, 'values', at], `no ${condition.field} is called "${String(value)}"`);
      return [value];
    });
    return { ...condition, values };
  }

  function resolveLeave(leave: NamedLeave, ...path: string[]) {
    if (leave.kind !== 'pool') return leave;
    return { kind: 'pool', poolId: idOf('pools', leave.name, ...path, 'name') };
  }

  return {
    when: when.map((all, either) =>
      all.map((condition, each) => resolveCondition(condition, 'when', either, each)),
    ),
    target: target && {
      kind: target.kind,
      [`${target.kind}Id`]: idOf(`${target.kind}s`, target.name, 'target', 'name'),
    },
    onExhausted:
      onExhausted.kind === 'wait'
        ? { ...onExhausted, then: resolveLeave(onExhausted.then, 'onExhausted', 'then') }
        : resolveLeave(onExhausted, 'onExhausted'),
    poolId: pool ? idOf('pools', pool, 'followUp', 'pool') : null,
  };
}
