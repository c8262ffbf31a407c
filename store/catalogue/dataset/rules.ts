import { canonicalJson, contentHash } from '../../../domain/canonical-json.ts';
import type { StoredRecord } from '../../../domain/catalogue/dataset/sections.ts';
import { namesRecords, type Condition } from '../../../domain/routing/condition.ts';
import type { Leave, OnExhausted, Rule, Target } from '../../../domain/routing/rules.ts';
import type { Sql } from '../../db/database.ts';
import type { ImportContext } from './import-context.ts';
import { noCounts, type Counts } from './upsert.ts';

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

/** The whole section is one ruleset: a new version, which is activated, unless the active one equals it. */
export async function writeRules(context: ImportContext): Promise<Counts> {
  const { sql, author, now } = context;
  const rules = context.rules ?? [];
  const active = (await readActiveRuleset(sql))?.rules ?? null;
  const hash = contentHash(rules);
  context.onWritten(rules.length);
  if (active && contentHash(active) === hash) return { ...noCounts, unchanged: rules.length };
  const [ruleset] = await sql.query<{ version: number }>(
    `insert into routing_rulesets (rules, content_hash, author, created_at)
     values ($1::jsonb, $2, $3, $4) returning version`,
    [JSON.stringify(rules), hash, author, now],
  );
  await sql.query(
    `insert into routing_activations (version, author, activated_at) values ($1, $2, $3)`,
    [ruleset?.version, author, now],
  );
  return countChanges(active ?? [], rules);
}

/** Rules that are no longer in the ruleset count as disabled. */
function countChanges(before: readonly Rule[], after: readonly Rule[]): Counts {
  const earlier = new Map(before.map((rule) => [rule.name, canonicalJson(rule)]));
  const names = new Set(after.map(({ name }) => name));
  const created = after.filter(({ name }) => !earlier.has(name)).length;
  const unchanged = after.filter((rule) => earlier.get(rule.name) === canonicalJson(rule)).length;
  return {
    created,
    unchanged,
    updated: after.length - created - unchanged,
    disabled: before.filter(({ name }) => !names.has(name)).length,
  };
}
