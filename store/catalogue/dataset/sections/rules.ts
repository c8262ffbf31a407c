import { canonicalJson, contentHash } from '../../../../domain/routing/content-hash.ts';
import type { Rule } from '../../../../domain/routing/types.ts';
import type { Sql } from '../../../db/database.ts';
import type { ImportContext } from '../import-context.ts';
import { noCounts } from '../upsert.ts';
import type { Counts } from '../upsert.ts';

/** The whole section is one ruleset: a new version, activated, unless it is the active one already. */
export async function writeRules(context: ImportContext, rules: readonly Rule[]): Promise<Counts> {
  const { sql, author, now } = context;
  const active = await activeRules(sql);
  const hash = contentHash(rules);
  context.onWritten(rules.length);
  if (active && contentHash(active) === hash) return { ...noCounts, unchanged: rules.length };
  const [made] = await sql.query<{ version: number }>(
    `insert into routing_rulesets (rules, content_hash, author, created_at)
     values ($1::jsonb, $2, $3, $4) returning version`,
    [JSON.stringify(rules), hash, author, now],
  );
  await sql.query(
    `insert into routing_activations (version, author, activated_at) values ($1, $2, $3)`,
    [made?.version, author, now],
  );
  return compared(active ?? [], rules);
}

export async function activeRules(sql: Sql): Promise<Rule[] | null> {
  const [row] = await sql.query<{ rules: Rule[] }>(
    `select r.rules from routing_activations a join routing_rulesets r using (version)
     order by a.id desc limit 1`,
  );
  return row?.rules ?? null;
}

/** Rules that are gone count as disabled. */
function compared(before: readonly Rule[], after: readonly Rule[]): Counts {
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
