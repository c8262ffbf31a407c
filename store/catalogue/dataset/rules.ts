import { canonicalJson, contentHash } from '../../../domain/canonical-json.ts';
import type { StoredRecord } from '../../../domain/catalogue/dataset/sections.ts';
import { namesRecords, type Condition } from '../../../domain/routing/condition.ts';
import type { Leave, OnExhausted, Rule, Target } from '../../../domain/routing/rules.ts';
import type { Sql } from '../../db/database.ts';
import { lockReferenceVersion } from '../reference-version.ts';
import type { ImportContext } from './import-context.ts';
import { readKeys } from './section-tables.ts';
import { noCounts, type Counts } from './upsert.ts';

/** Null: there is no ruleset yet. */
export async function readActiveRuleset({ tables, run }: Sql) {
  const active = tables
    .selectFrom('routing_activations as a')
    .innerJoin('routing_rulesets as r', 'r.version', 'a.version')
    .select(['r.version', 'r.rules'])
    .orderBy('a.id', 'desc')
    .limit(1);
  const [ruleset] = await run(active);
  return ruleset ?? null;
}

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
  const known = new Map((await readKeys(sql)).map(({ id, name }) => [id, name]));
  return rules.map((rule) => namedRule(rule, (id) => known.get(id) ?? names.get(id) ?? id));
}

type NameOf = (id: string) => string;

function namedRule(rule: Rule, nameOf: NameOf): StoredRecord {
  const { poolId, clock = null, ...followUp } = rule.followUp;
  return {
    ...rule,
    when: rule.when.map((all) => all.map((condition) => namedCondition(condition, nameOf))),
    target: namedTarget(rule.target, nameOf),
    onExhausted: namedOnExhausted(rule.onExhausted, nameOf),
    // Null takes back what the rule of this name has by the time of an import.
    followUp: { ...followUp, clock, pool: poolId === null ? null : nameOf(poolId) },
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
  const row = {
    rules: sql.fragment<Rule[]>`${JSON.stringify(rules)}::jsonb`,
    content_hash: hash,
    author,
    created_at: now,
  };
  const rulesets = sql.tables.insertInto('routing_rulesets').values(row).returning('version');
  for (const { version } of await sql.run(rulesets)) {
    const activation = { version, author, activated_at: now };
    await sql.run(sql.tables.insertInto('routing_activations').values(activation));
  }
  return countChanges(active ?? [], rules);
}

/** Whether the rules of an import came right after those it found. Later activations wait for its transaction. */
export async function isActivatedNext(
  sql: Sql,
  { before, after }: { before: number | null; after: number | null },
): Promise<boolean> {
  await lockReferenceVersion(sql);
  const last = sql.tables.selectFrom('routing_activations').select('version').orderBy('id', 'desc');
  const [newest, replaced] = await sql.run(last.limit(2));
  const isNewest = (newest?.version ?? null) === after;
  return isNewest && (before === after || (replaced?.version ?? null) === before);
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
