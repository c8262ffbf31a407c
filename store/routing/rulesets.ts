import type { LintRecords } from '../../domain/routing/lint-rules.ts';
import type { StoredRuleset } from '../../domain/routing/recompute.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import type { CurrentAssignment } from '../assignment/lock-lead.ts';
import { bumpReferenceVersion } from '../catalogue/reference-version.ts';
import type { Database, Sql } from '../db/database.ts';

/** Rulesets never change once they are made, so a process reads each of them once. */
export type RulesetStore = ReturnType<typeof createRulesetStore>;

export function createRulesetStore() {
  const known = new Map<number, StoredRuleset>();
  async function byVersion(sql: Sql, version: number): Promise<StoredRuleset> {
    const found = known.get(version) ?? (await readRuleset(sql, version));
    known.set(version, found);
    return found;
  }
  return {
    byVersion,
    /** The rule that decided an assignment, in its own ruleset; null where no rule did. */
    async assigningRule(sql: Sql, assignment: CurrentAssignment | null): Promise<Rule | null> {
      if (!assignment?.ruleName || assignment.rulesetVersion === null) return null;
      const { rules } = await byVersion(sql, assignment.rulesetVersion);
      return rules.find(({ name }) => name === assignment.ruleName) ?? null;
    },
  };
}

async function readRuleset(sql: Sql, version: number): Promise<StoredRuleset> {
  const ruleset = await sql.queryOne<StoredRuleset>(
    `select rules, content_hash as "contentHash" from routing_rulesets where version = :version`,
    { version },
  );
  if (ruleset) return ruleset;
  throw new Error(`Ruleset ${version} not found.`);
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
  return sql.query<RulesetVersion>(RULESET_VERSIONS_SQL);
}

export interface RulesetEntry extends Omit<RulesetVersion, 'rules'> {
  rules: readonly Rule[];
}

/** The active one without a version. */
export async function readRulesetEntry(sql: Sql, version?: number): Promise<RulesetEntry | null> {
  const versions = await readRulesetVersions(sql);
  const found = versions.find((each) =>
    version === undefined ? each.isActive : each.version === version,
  );
  return found ? { ...found, ...(await readRuleset(sql, found.version)) } : null;
}

/** False when that version is active already; otherwise every waiting lead is decided again. */
export async function activateRuleset(
  database: Database,
  activation: { version: number; author: string; now: Date },
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const changed = await sql.queryOne(ACTIVATE_RULESET_SQL, activation);
    if (changed) await bumpReferenceVersion(sql);
    return changed !== null;
  });
}

const ACTIVE_VERSION = `(select version from routing_activations order by id desc limit 1)`;

const ACTIVATE_RULESET_SQL = `
insert into routing_activations (version, author, activated_at)
select :version, :author, :now where :version <> ${ACTIVE_VERSION} returning id`;

const RULESET_VERSIONS_SQL = `
select r.version, r.author, r.created_at as "createdAt", r.content_hash as "contentHash",
  jsonb_array_length(r.rules) as rules, r.version = ${ACTIVE_VERSION} as "isActive",
  a.activated_at as "activatedAt", a.author as "activatedBy"
from routing_rulesets r
left join lateral (
  select activated_at, author from routing_activations
  where version = r.version order by id desc limit 1) a on true
order by r.version desc`;

/** The people and places that rules are checked against, as they are now. */
export async function readLintRecords(sql: Sql): Promise<LintRecords> {
  const [agents, teams, pools, locations] = await Promise.all([
    sql.query<LintRecords['agents'][number]>(`
      select id, active, languages, location_ids as "locationIds", daily_cap as "dailyCap",
        open_cap as "openCap" from agents`),
    sql.query<LintRecords['teams'][number]>(`
      select t.id, array(select agent_id from team_members where team_id = t.id) as "agentIds"
      from teams t`),
    sql.query<LintRecords['pools'][number]>(
      `select id, enabled from list_entries where list = 'pool'`,
    ),
    // The least deep come last: of places that no rule distinguishes the last one is shown.
    sql.query<LintRecords['locations'][number]>(`
      select id, ancestor_ids as "ancestorIds" from locations
      order by cardinality(ancestor_ids) desc, path desc`),
  ]);
  return { agents, teams, pools, locations };
}
