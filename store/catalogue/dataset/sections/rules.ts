import { canonicalJson, contentHash } from '../../../../domain/canonical-json.ts';
import type { Rule } from '../../../../domain/routing/rules.ts';
import { readActiveRuleset } from './active-rules.ts';
import type { ImportContext } from '../write-rows.ts';
import { noCounts, type Counts } from '../upsert.ts';

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
