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

export async function findRuleName(sql: Sql, text: string): Promise<string | null> {
  return (await sql.first(FIND_RULE_NAME, { text: text.trim() }))?.name ?? null;
}

const FIND_RULE_NAME = statement<{ text: string }, { name: string }>('find_rule_name')`
select r ->> 'name' as name from routing_rulesets s, jsonb_array_elements(s.rules) r
where lower(r ->> 'name') = lower(:text) order by r ->> 'name' = :text desc, s.version desc limit 1`;

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

const READ_ACTIVE_VERSION = statement<NoParams, { version: number }>('read_active_version')`
select version from routing_activations order by id desc limit 1`;

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

export function readPools(sql: Sql): Promise<{ id: string; name: string }[]> {
  return sql.all(READ_POOLS, {});
}

const READ_POOLS = statement<NoParams, { id: string; name: string }>('read_pools')`
select id, name from list_entries where list = 'pool' and enabled order by name, id`;

/** Agents and teams by name, locations by path. A deleted record has its id instead. */
export async function readRecordNames(sql: Sql, value: unknown): Promise<Map<string, string>> {
  const ids = [...new Set(JSON.stringify(value).match(UUID) ?? [])];
  if (ids.length === 0) return new Map();
  const rows = await sql.all(READ_RECORD_NAMES, { ids });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const NAME_COLUMNS = {
  list_entries: 'name',
  funnels: 'name',
  developers: 'name',
  locations: 'path',
  agents: 'name',
  teams: 'name',
  funnel_stages: 'name',
  listings: 'reference_no',
  advertising_campaigns: 'coalesce(name, platform_campaign_id)',
};

const READ_RECORD_NAMES = statement<{ ids: string[] }, { id: string; name: string }>(
  'read_record_names',
)`${Object.entries(NAME_COLUMNS)
  .map(([table, name]) => `select id, ${name} as name from ${table} where id = any (:ids::uuid[])`)
  .join('\nunion all ')}`;

export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\bagent ([0-9a-f-]{36})\b/g, (all, id: string) => names.get(id) ?? all);
}

/** Ignores case. Null if no record matches. */
export async function findListEntry(sql: Sql, list: string, name: string): Promise<string | null> {
  return (await sql.first(FIND_LIST_ENTRY, { list, name: name.trim() }))?.id ?? null;
}

const FIND_LIST_ENTRY = statement<{ list: string; name: string }, { id: string }>(
  'find_list_entry',
)`
select id from list_entries where list = :list
  and lower(:name) in (select lower(each) from unnest(aliases || name || key) each)
order by enabled desc, lower(name) = lower(:name) desc limit 1`;

type NamedKind = 'source' | 'client' | 'team';

export async function findNearNames(sql: Sql, kind: NamedKind, text: string): Promise<string[]> {
  const rows = await sql.all(FIND_NEAR_NAMES[kind], { text: text.trim() });
  return rows.map(({ name }) => name);
}

const nearNamesSql = (from: string) =>
  `select name from ${from} where word_similarity(:text, name) > 0.4::real
   order by word_similarity(:text, name) desc, name limit 3`;

const FIND_NEAR_NAMES = {
  source: statement<{ text: string }, { name: string }>(
    'find_near_sources',
  )`${nearNamesSql(`(select name from list_entries where list = 'source' and enabled) sources`)}`,
  client: statement<{ text: string }, { name: string }>(
    'find_near_clients',
  )`${nearNamesSql('oauth_clients')}`,
  team: statement<{ text: string }, { name: string }>('find_near_teams')`${nearNamesSql('teams')}`,
};
