import * as z from 'zod';
import { canonicalJson, contentHash, isRecord } from '../../domain/canonical-json.ts';
import { namesRecords, type Condition } from '../../domain/routing/condition.ts';
import {
  ruleSchema,
  type Leave,
  type OnExhausted,
  type Rule,
  type Target,
} from '../../domain/routing/rules.ts';
import { lockReferenceVersion } from '../catalogue/reference-version.ts';
import type { Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';
import { readNames } from './known-records.ts';
import { noCounts, section, type Counts, type StoredRecord } from './section.ts';
import { name } from './values.ts';

/** At most a year: a later end may lie beyond what a date can hold. */
const minutes = z.number().max(366 * 24 * 60);

const leave = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('next').describe('The next rule decides.') }),
  z.strictObject({
    kind: z.literal('pool').describe('The lead waits in a pool for a claim.'),
    name: name.describe('The pool’s name.'),
  }),
  z.strictObject({ kind: z.literal('unassigned').describe('Nobody gets the lead.') }),
]);

const onExhausted = z.discriminatedUnion('kind', [
  ...leave.options,
  z.strictObject({
    kind: z
      .literal('wait')
      .describe(
        'The lead waits for the first agent of the rule who can take it: working hours, absences, pauses and caps may keep ' +
          'agents from it. If none of them could take it in time, `then` applies at once.',
      ),
    atMostMinutes: minutes
      .positive()
      .describe('The longest time that the lead waits. Leads that already wait keep their end.'),
    then: leave.default({ kind: 'next' }).describe('The outcome after these minutes.'),
  }),
]);

const MINUTES = 'Time to respond. `0`: no clock. Left out: as configured.';

const followUp = ruleSchema.shape.followUp
  .unwrap()
  .omit({ poolId: true })
  .extend({
    minutes: minutes.min(0).nullable().default(null).describe(MINUTES),
    pool: name.nullish().describe('For `onExpiry` `pool`. By default the pool of `onExhausted`.'),
  });

export const namedRuleSchema = ruleSchema.extend({
  target: z
    .strictObject({
      kind: z.enum(['agent', 'team', 'pool']).describe('The kind of record that `name` names.'),
      name: name.describe('The name of the team or pool, or the agent’s e-mail.'),
    })
    .describe('Who gets the leads.'),
  onExhausted: onExhausted
    .default({ kind: 'next' })
    .describe('The outcome for a lead that no agent can take.'),
  followUp: followUp.prefault({}).describe('The clock that runs until the agent responds.'),
});

/** Null is treated as omitted, but not within a list, such as the bounds of a budget. */
const ruleRecordSchema = z.preprocess(withoutNulls, namedRuleSchema);

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(given.map(([key, each]) => [key, withoutNulls(each)]));
}

export type NamedRule = z.output<typeof namedRuleSchema>;

export const rules = section({
  name: 'rules',
  about:
    'Rules that assign leads. The section is the whole ruleset: a rule that it leaves out is switched off.',
  key: ['name'],
  schema: ruleRecordSchema,
  overlay(stored, given) {
    const nested = ['gates', 'followUp'].flatMap((field) => {
      const [before, after] = [stored[field], given[field]];
      return isRecord(before) && isRecord(after) ? [[field, { ...before, ...after }]] : [];
    });
    return { ...stored, ...given, ...Object.fromEntries(nested) };
  },
  async read(sql) {
    const active = await readActiveRuleset(sql);
    return active ? nameRules(sql, active.rules) : [];
  },
  /** The whole section is one ruleset: a new version, which is activated, unless the active one equals it. */
  async write({ sql, rules, author, now, onWritten }) {
    const active = (await readActiveRuleset(sql))?.rules ?? null;
    const hash = contentHash(rules);
    onWritten(rules.length);
    if (active && contentHash(active) === hash) return { ...noCounts, unchanged: rules.length };
    await sql.all(ACTIVATE_RULES, { rules: JSON.stringify(rules), hash, author, now });
    return countChanges(active ?? [], rules);
  },
});

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
