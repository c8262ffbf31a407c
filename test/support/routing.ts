import { randomUUID } from 'node:crypto';
import { contentHash } from '../../domain/canonical-json.ts';
import { differences } from '../../domain/routing/recompute.ts';
import { ruleSchema } from '../../domain/routing/rules.ts';
import { bumpReferenceVersion } from '../../store/catalogue/reference-version.ts';
import type { Database } from '../../store/db/database.ts';
import { createRulesetStore } from '../../store/routing/rulesets.ts';
import {
  readDecisionsSince,
  readWaitsSince,
  type DecisionEntry,
} from '../../store/routing/decisions.ts';

export interface TestAgent {
  id: string;
  email: string;
}

/** An agent as the roster knows one; `over` sets columns of `agents`. */
export async function makeAgent(
  database: Database,
  over: Record<string, unknown> = {},
): Promise<TestAgent> {
  const id = randomUUID();
  const row = { id, email: `${id}@agency.example`, name: 'Agent', slug: id, ...over };
  const columns = Object.keys(row);
  await database.query(
    `insert into agents (${columns.join(', ')}) select ${columns.map((column) => `r.${column}`).join(', ')}
     from jsonb_populate_record(null::agents, $1::jsonb) r`,
    [JSON.stringify(row)],
  );
  await bumpReferenceVersion(database);
  return { id, email: String(row.email) };
}

/** As many agents, one made after the other. */
export async function makeAgents(
  database: Database,
  count: number,
  over: Record<string, unknown> = {},
): Promise<TestAgent[]> {
  const agents: TestAgent[] = [];
  while (agents.length < count) agents.push(await makeAgent(database, over));
  return agents;
}

/** A team in that order. An agent without a weight has that of 1. */
export async function makeTeam(
  database: Database,
  agents: readonly { id: string }[],
  weights: readonly number[] = [],
): Promise<string> {
  const id = randomUUID();
  await database.query(`insert into teams (id, name) values ($1, $2)`, [id, `Team ${id}`]);
  for (const [position, agent] of agents.entries())
    await database.query(
      `insert into team_members (team_id, agent_id, weight, position) values ($1, $2, $3, $4)`,
      [id, agent.id, weights[position] ?? 1, position],
    );
  return id;
}

export async function makePool(database: Database, name = 'Weekend Pool'): Promise<string> {
  const id = randomUUID();
  await database.query(
    `insert into list_entries (id, list, key, name) values ($1, 'pool', $2, $3)`,
    [id, `${name.toLowerCase()} ${id}`, name],
  );
  return id;
}

export async function makeSource(
  database: Database,
  name: string,
  portal = false,
): Promise<string> {
  const id = randomUUID();
  await database.query(
    `insert into list_entries (id, list, key, name, attributes) values ($1, 'source', $2, $3, $4)`,
    [id, name.toLowerCase(), name, JSON.stringify({ portal })],
  );
  await bumpReferenceVersion(database);
  return id;
}

/** Makes these rules the active ruleset; what a rule leaves out has its default. */
export async function activateRules(database: Database, rules: readonly object[]): Promise<number> {
  const complete = rules.map((rule, index) =>
    ruleSchema.parse({ name: `Rule ${index + 1}`, order: index + 1, ...rule }),
  );
  const [row] = await database.query<{ version: number }>(
    `insert into routing_rulesets (rules, content_hash, author, created_at)
     values ($1, $2, 'test', now()) returning version`,
    [JSON.stringify(complete), contentHash(complete)],
  );
  const version = row?.version ?? 0;
  await database.query(
    `insert into routing_activations (version, author, activated_at) values ($1, 'test', now())`,
    [version],
  );
  await bumpReferenceVersion(database);
  return version;
}

/** Each decision and wait comes out the same when it is made again. Returns them. */
export async function expectSameAgain(database: Database): Promise<DecisionEntry[]> {
  const rulesets = createRulesetStore();
  const all: DecisionEntry[] = [];
  for (const decisions of [readDecisionsSince, readWaitsSince])
    for await (const stored of decisions(database, new Date(0))) {
      const ruleset = await rulesets.byVersion(database, stored.rulesetVersion);
      expect(differences(stored, ruleset)).toEqual([]);
      all.push(stored);
    }
  return all;
}
