import { canonicalJson, contentHash } from '../../../domain/canonical-json.ts';
import type { StoredRecord } from '../../../domain/catalogue/dataset/sections.ts';
import { namesRecords, type Condition } from '../../../domain/routing/condition.ts';
import type { Leave, OnExhausted, Rule, Target } from '../../../domain/routing/rules.ts';
import type { Sql } from '../../db/database.ts';
import { statement, type NoParams } from '../../db/statement.ts';
import { lockReferenceVersion } from '../reference-version.ts';
import type { ImportContext } from './import-context.ts';
import { readKeys } from './section-tables.ts';
import { noCounts, type Counts } from './upsert.ts';

/** Null: there is no ruleset yet. */
export function readActiveRuleset(sql: Sql): Promise<ActiveRuleset | null> {
  return sql.first(READ_ACTIVE_RULESET, {});
}

interface ActiveRuleset {
  version: number;
  rules: Rule[];
}

const READ_ACTIVE_RULESET = statement<NoParams, ActiveRuleset>('read_active_ruleset')`
select r.version, r.rules from routing_activations a join routing_rulesets r on r.version = a.version
order by a.id desc limit 1`;

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
  await sql.all(ACTIVATE_RULES, { rules: JSON.stringify(rules), hash, author, now });
  return countChanges(active ?? [], rules);
}

const ACTIVATE_RULES = statement<{ rules: string; hash: string; author: string; now: Date }>(
  'activate_rules',
)`
with ruleset as (
  insert into routing_rulesets (rules, content_hash, author, created_at)
  values (:rules, :hash, :author, :now) returning version)
insert into routing_activations (version, author, activated_at)
select version, :author, :now from ruleset`;

/** Whether the rules of an import came right after those it found. Later activations wait for its transaction. */
export async function isActivatedNext(
  sql: Sql,
  { before, after }: { before: number | null; after: number | null },
): Promise<boolean> {
  await lockReferenceVersion(sql);
  const [newest, replaced] = await sql.all(READ_LAST_ACTIVATIONS, {});
  const isNewest = (newest?.version ?? null) === after;
  return isNewest && (before === after || (replaced?.version ?? null) === before);
}

const READ_LAST_ACTIVATIONS = statement<NoParams, { version: number }>('read_last_activations')`
select version from routing_activations order by id desc limit 2`;

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
