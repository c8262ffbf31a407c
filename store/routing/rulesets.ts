import type { Rule, Ruleset } from '../../domain/routing/rule-schema.ts';
import type { Sql } from '../db/database.ts';

/** Rulesets never change once they are made, so a process reads each of them once. */
export interface RulesetStore {
  byVersion(sql: Sql, version: number): Promise<Ruleset>;
}

export function createRulesetStore(): RulesetStore {
  const known = new Map<number, Ruleset>();
  return {
    async byVersion(sql, version) {
      const found = known.get(version) ?? (await readRuleset(sql, version));
      known.set(version, found);
      return found;
    },
  };
}

async function readRuleset(sql: Sql, version: number): Promise<Ruleset> {
  const [row] = await sql.query<{ rules: Rule[] }>(
    `select rules from routing_rulesets where version = $1`,
    [version],
  );
  if (!row) throw new Error(`There is no ruleset ${version}.`);
  return { rules: row.rules };
}

export interface RulesetVersion {
  version: number;
  author: string;
  createdAt: Date;
  contentHash: string;
  rules: number;
  isActive: boolean;
  /** When it was last made active, and by whom; null: never. */
  activatedAt: Date | null;
  activatedBy: string | null;
}

/** Newest first. */
export async function readRulesetVersions(sql: Sql): Promise<RulesetVersion[]> {
  return sql.query<RulesetVersion & Record<string, unknown>>(
    `${RULESET_VERSIONS_SQL} order by r.version desc`,
  );
}

export interface RulesetEntry extends Omit<RulesetVersion, 'rules'> {
  rules: Rule[];
}

/** The active one without a version. */
export async function readRulesetEntry(sql: Sql, version?: number): Promise<RulesetEntry | null> {
  const versions = await readRulesetVersions(sql);
  const found = versions.find((each) =>
    version === undefined ? each.isActive : each.version === version,
  );
  if (!found) return null;
  const [row] = await sql.query<{ rules: Rule[] }>(
    `select rules from routing_rulesets where version = $1`,
    [found.version],
  );
  return { ...found, rules: row?.rules ?? [] };
}

/** False when that version is active already. */
export async function activateRuleset(
  sql: Sql,
  { version, author, now }: { version: number; author: string; now: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into routing_activations (version, author, activated_at)
     select $1, $2, $3
     where $1 <> (select version from routing_activations order by id desc limit 1)
     returning id`,
    [version, author, now],
  );
  return rows.length > 0;
}

const RULESET_VERSIONS_SQL = `
select r.version, r.author, r.created_at as "createdAt", r.content_hash as "contentHash",
  jsonb_array_length(r.rules) as rules,
  r.version = (select version from routing_activations order by id desc limit 1) as "isActive",
  a.activated_at as "activatedAt", a.author as "activatedBy"
from routing_rulesets r
left join lateral (
  select activated_at, author from routing_activations
  where version = r.version order by id desc limit 1) a on true`;
