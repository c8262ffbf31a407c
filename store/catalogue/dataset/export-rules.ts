import type { Condition, Rule } from '../../../domain/routing/types.ts';
import type { Sql } from '../../db/database.ts';
import { activeRules } from './sections/rules.ts';

/** The active rules with names where they have ids, as `import` reads them. */
export async function exportRules(sql: Sql): Promise<object[] | null> {
  const rules = await activeRules(sql);
  if (rules === null) return null;
  const names = await readNames(sql);
  return rules.map((rule) => namedRule(rule, (id) => names.get(id) ?? id));
}

type NameOf = (id: string) => string;

/** Ids are uuids, so that one look-up does for all kinds of records. */
async function readNames(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ id: string; name: string }>(`
    select id::text, email as name from agents
    union all select id::text, name from teams
    union all select id::text, key from funnels
    union all select id::text, slug from developers
    union all select id::text, key from locations
    union all select e.id::text, concat(p.name || '/', e.name)
      from list_entries e left join list_entries p on p.id = e.parent_id`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function namedRule(rule: Rule, nameOf: NameOf): object {
  const { poolId, ...followUp } = rule.followUp;
  const { onExhausted } = rule;
  return {
    ...rule,
    when: rule.when.map((all) => all.map((condition) => namedCondition(condition, nameOf))),
    target: namedTarget(rule.target, nameOf),
    onExhausted:
      onExhausted.kind === 'pool'
        ? { kind: 'pool', name: nameOf(onExhausted.poolId) }
        : onExhausted,
    followUp: poolId === null ? followUp : { ...followUp, pool: nameOf(poolId) },
  };
}

function namedCondition(condition: Condition, nameOf: NameOf): object {
  if (condition.op === 'between' || condition.op === 'exists') return condition;
  const values = condition.values.map((value) =>
    typeof value === 'string' ? nameOf(value) : value,
  );
  return { ...condition, values };
}

function namedTarget(target: Rule['target'], nameOf: NameOf): object {
  switch (target.kind) {
    case 'agent':
      return { kind: 'agent', name: nameOf(target.agentId) };
    case 'team':
      return { kind: 'team', name: nameOf(target.teamId) };
    case 'pool':
      return { kind: 'pool', name: nameOf(target.poolId) };
  }
}
