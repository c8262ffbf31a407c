import type { LintRecords } from '../../domain/routing/lint-rules.ts';
import type { StoredRuleset } from '../../domain/routing/recompute.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import type { CurrentAssignment } from '../assignment/lock-lead.ts';
import { bumpReferenceVersion, lockReferenceVersion } from '../catalogue/reference-version.ts';
import type { Database, Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';
import { readAgents } from './agents.ts';

/** Rulesets never change, so a process reads each once. */
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
    async assigningRule(sql: Sql, assignment: CurrentAssignment | null): Promise<Rule | null> {
      if (!assignment?.ruleName || assignment.rulesetVersion === null) return null;
      const { rules } = await byVersion(sql, assignment.rulesetVersion);
      return rules.find(({ name }) => name === assignment.ruleName) ?? null;
    },
  };
}

async function readRuleset(sql: Sql, version: number): Promise<StoredRuleset> {
  const ruleset = await sql.first(READ_RULESET, { version });
  if (ruleset) return ruleset;
  throw new Error(`Ruleset ${version} not found.`);
}

const READ_RULESET = statement<{ version: number }, StoredRuleset>('read_ruleset')`
select rules, content_hash as "contentHash" from routing_rulesets where version = :version`;

const READ_ACTIVE_VERSION = statement<NoParams, { version: number }>('read_active_version')`
select version from routing_activations order by id desc limit 1`;

export interface RulesetVersion {
  version: number;
  author: string;
  createdAt: Date;
  contentHash: string;
  rules: number;
  isActive: boolean;
  activatedAt: Date | null;
  activatedBy: string | null;
}

export async function readRulesetVersions(sql: Sql): Promise<RulesetVersion[]> {
  return sql.all(READ_RULESET_VERSIONS, {});
}

const READ_RULESET_VERSIONS = statement<NoParams, RulesetVersion>('read_ruleset_versions')`
select r.version, r.author, r.created_at as "createdAt", r.content_hash as "contentHash",
  jsonb_array_length(r.rules) as rules,
  r.version = (select version from routing_activations order by id desc limit 1) as "isActive",
  a.activated_at as "activatedAt", a.author as "activatedBy"
from routing_rulesets r left join lateral (
  select activated_at, author from routing_activations where version = r.version
  order by id desc limit 1) a on true
order by r.version desc`;

export type RulesetEntry = NonNullable<Awaited<ReturnType<typeof readRulesetEntry>>>;

/** Default: the active ruleset. */
export async function readRulesetEntry(sql: Sql, version?: number) {
  const versions = await readRulesetVersions(sql);
  const found = versions.find((each) =>
    version === undefined ? each.isActive : each.version === version,
  );
  return found ? { ...found, ...(await readRuleset(sql, found.version)) } : null;
}

/** Another operator activated a ruleset after the command compared the rules. */
export class RulesActivatedError extends Error {
  override name = 'RulesActivatedError';
}

interface Activation {
  version: number;
  author: string;
  now: Date;
  /** Any other active version throws `RulesActivatedError`. */
  replacing?: number;
}

/** Returns the replaced version, and has each queued lead decided again. Null if the version is active already. */
export async function activateRuleset(
  database: Database,
  { version, author, now, replacing }: Activation,
): Promise<number | null> {
  return database.transaction(async (sql) => {
    await lockReferenceVersion(sql);
    const active = await sql.first(READ_ACTIVE_VERSION, {});
    if (!active || active.version === version) return null;
    if (active.version !== (replacing ?? active.version)) throw new RulesActivatedError();
    await sql.all(INSERT_ACTIVATION, { version, author, now });
    await bumpReferenceVersion(sql);
    return active.version;
  });
}

const INSERT_ACTIVATION = statement<{ version: number; author: string; now: Date }>(
  'insert_activation',
)`
insert into routing_activations (version, author, activated_at) values (:version, :author, :now)`;

export async function readLintRecords(sql: Sql, now: Date): Promise<LintRecords> {
  const [agents, teams, pools, places] = await Promise.all([
    readAgents(sql, now),
    sql.all(READ_TEAM_MEMBER_IDS, {}),
    sql.all(READ_ALL_POOLS, {}),
    sql.all(READ_LOCATION_ANCESTORS, {}),
  ]);
  return {
    agents,
    teams,
    pools: new Map(pools.map((pool) => [pool.id, pool])),
    places: new Map(places.map((place) => [place.id, place.ancestorIds])),
  };
}

const READ_TEAM_MEMBER_IDS = statement<NoParams, { id: string; agentIds: string[] }>(
  'read_team_member_ids',
)`
select t.id, array_remove(array_agg(m.agent_id), null) as "agentIds"
from teams t left join team_members m on m.team_id = t.id group by t.id`;

const READ_ALL_POOLS = statement<NoParams, { id: string; name: string; enabled: boolean }>(
  'read_all_pools',
)`
select id, name, enabled from list_entries where list = 'pool'`;

const READ_LOCATION_ANCESTORS = statement<NoParams, { id: string; ancestorIds: string[] }>(
  'read_location_ancestors',
)`
select id, ancestor_ids as "ancestorIds" from locations`;
