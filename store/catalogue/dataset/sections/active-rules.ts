import type { StoredRecord } from '../../../../domain/catalogue/dataset/sections.ts';
import { namesRecords, type Condition } from '../../../../domain/routing/condition.ts';
import type { Leave, OnExhausted, Rule, Target } from '../../../../domain/routing/rules.ts';
import type { Sql } from '../../../db/database.ts';

/** Null: there is no ruleset yet. */
export async function readActiveRuleset(
  sql: Sql,
): Promise<{ version: number; rules: Rule[] } | null> {
  return sql.queryOne(
    `select r.version, r.rules from routing_activations a
     join routing_rulesets r on r.version = a.version order by a.id desc limit 1`,
  );
}

/** The active rules with names where they have ids, as `import` reads them. */
export async function exportRules(sql: Sql): Promise<StoredRecord[] | null> {
  const active = await readActiveRuleset(sql);
  return active && nameRules(sql, active.rules);
}

/** `names` are those of records that are not in the database, by id. */
export async function nameRules(
  sql: Sql,
  rules: readonly Rule[],
  names: ReadonlyMap<string, string> = new Map(),
): Promise<StoredRecord[]> {
  const known = await readNames(sql);
  return rules.map((rule) => namedRule(rule, (id) => known.get(id) ?? names.get(id) ?? id));
}

type NameOf = (id: string) => string;

/** Names by id, of every kind of record, since uuids are unique over all of them. */
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

function namedRule(rule: Rule, nameOf: NameOf): StoredRecord {
  const { poolId, ...followUp } = rule.followUp;
  return {
    ...rule,
    when: rule.when.map((all) => all.map((condition) => namedCondition(condition, nameOf))),
    target: namedTarget(rule.target, nameOf),
    onExhausted: namedOnExhausted(rule.onExhausted, nameOf),
    followUp: poolId === null ? followUp : { ...followUp, pool: nameOf(poolId) },
  };
}

function namedCondition(condition: Condition, nameOf: NameOf): object {
  if (!namesRecords(condition)) return condition;
  const values = condition.values.map((value) =>
    typeof value === 'string' ? nameOf(value) : value,
  );
  return { ...condition, values };
}

function namedOnExhausted(onExhausted: OnExhausted, nameOf: NameOf): object {
  if (onExhausted.kind !== 'wait') return namedTarget(onExhausted, nameOf);
  return { ...onExhausted, then: namedTarget(onExhausted.then, nameOf) };
}

/** `{ kind, agentId }` with the name of the agent; a kind without an id stays as it is. */
function namedTarget({ kind, ...target }: Target | Leave, nameOf: NameOf): object {
  const [id] = Object.values<string>(target);
  return id === undefined ? { kind } : { kind, name: nameOf(id) };
}
