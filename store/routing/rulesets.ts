import type { InferResult } from 'kysely';
import type { LintRecords } from '../../domain/routing/lint-rules.ts';
import type { StoredRuleset } from '../../domain/routing/recompute.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import type { CurrentAssignment } from '../assignment/lock-lead.ts';
import { bumpReferenceVersion, lockReferenceVersion } from '../catalogue/reference-version.ts';
import type { Database, Sql } from '../db/database.ts';
import { readAgents } from './agents.ts';

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

async function readRuleset({ tables, run }: Sql, version: number): Promise<StoredRuleset> {
  const rulesets = tables.selectFrom('routing_rulesets').where('version', '=', version);
  const columns = rulesets.select(['rules', 'content_hash as contentHash']);
  const [ruleset] = await run(columns);
  if (ruleset) return ruleset;
  throw new Error(`Ruleset ${version} not found.`);
}

const activeVersion = ({ tables }: Sql) =>
  tables.selectFrom('routing_activations').select('version').orderBy('id', 'desc').limit(1);

/** `activatedAt` and `activatedBy`: when it was last made active, and by whom; null: never. */
const selectVersions = (sql: Sql) =>
  sql.tables
    .selectFrom('routing_rulesets as r')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('routing_activations')
          .select(['activated_at', 'author'])
          .whereRef('version', '=', 'r.version')
          .orderBy('id', 'desc')
          .limit(1)
          .as('a'),
      (join) => join.onTrue(),
    )
    .select(({ eb, fn }) => [
      'r.version',
      'r.author',
      'r.created_at as createdAt',
      'r.content_hash as contentHash',
      fn<number>('jsonb_array_length', ['r.rules']).as('rules'),
      eb('r.version', '=', activeVersion(sql)).$castTo<boolean>().as('isActive'),
      'a.activated_at as activatedAt',
      'a.author as activatedBy',
    ]);

export type RulesetVersion = InferResult<ReturnType<typeof selectVersions>>[number];

/** Newest first. */
export async function readRulesetVersions(sql: Sql): Promise<RulesetVersion[]> {
  return sql.run(selectVersions(sql).orderBy('r.version', 'desc'));
}

export type RulesetEntry = NonNullable<Awaited<ReturnType<typeof readRulesetEntry>>>;

/** The active one without a version. */
export async function readRulesetEntry(sql: Sql, version?: number) {
  const versions = await readRulesetVersions(sql);
  const found = versions.find((each) =>
    version === undefined ? each.isActive : each.version === version,
  );
  return found ? { ...found, ...(await readRuleset(sql, found.version)) } : null;
}

/** Somebody activated a ruleset meanwhile, so that a command would replace other rules than the ones it compared. */
export class RulesActivatedError extends Error {
  override name = 'RulesActivatedError';
}

interface Activation {
  version: number;
  author: string;
  now: Date;
  /** The version to be replaced, if any other is to throw `RulesActivatedError`. */
  replacing?: number;
}

/** Returns the version that it replaces, and has every waiting lead decided again. Null: that version is active already. */
export async function activateRuleset(
  database: Database,
  { version, author, now, replacing }: Activation,
): Promise<number | null> {
  return database.transaction(async (sql) => {
    await lockReferenceVersion(sql);
    const [active] = await sql.run(activeVersion(sql));
    if (!active || active.version === version) return null;
    if (active.version !== (replacing ?? active.version)) throw new RulesActivatedError();
    const activation = { version, author, activated_at: now };
    await sql.run(sql.tables.insertInto('routing_activations').values(activation));
    await bumpReferenceVersion(sql);
    return active.version;
  });
}

export async function readLintRecords(sql: Sql, now: Date): Promise<LintRecords> {
  const { tables, fragment, run } = sql;
  const memberIds = fragment<string[]>`array_remove(array_agg(m.agent_id), null)`;
  const [agents, teams, pools, places] = await Promise.all([
    readAgents(sql, now),
    run(
      tables
        .selectFrom('teams as t')
        .leftJoin('team_members as m', 'm.team_id', 't.id')
        .groupBy('t.id')
        .select(['t.id', memberIds.as('agentIds')]),
    ),
    run(
      tables
        .selectFrom('list_entries')
        .select(['id', 'name', 'enabled'])
        .where('list', '=', 'pool'),
    ),
    run(tables.selectFrom('locations').select(['id', 'ancestor_ids'])),
  ]);
  return {
    agents,
    teams,
    pools: new Map(pools.map((pool) => [pool.id, pool])),
    places: new Map(places.map((place) => [place.id, place.ancestor_ids])),
  };
}
