import type { Decision, Reassignment } from '../../domain/routing/decision.ts';
import type { Sql } from '../db/database.ts';

/**
 * Names for the short lines of an explanation: pools by name, agents by id, since those lines are seen
 * in workflow histories and no person is named there.
 */
export async function readDecisionNames(
  sql: Sql,
  decision: Decision | Reassignment,
): Promise<(id: string) => string> {
  if (decision.kind !== 'pool') return agentById;
  const { poolId } = decision;
  const name = await readPoolName(sql, poolId);
  return (id) => (id === poolId ? `'${name}'` : agentById(id));
}

function agentById(id: string): string {
  return `agent ${id}`;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Names of all records whose ids occur anywhere in a value: agents and teams by name, places by their
 * path. A record that is gone keeps its id for a name.
 */
export async function readRecordNames(sql: Sql, value: unknown): Promise<Map<string, string>> {
  const ids = [...new Set(JSON.stringify(value).match(UUID) ?? [])];
  if (ids.length === 0) return new Map();
  const rows = await sql.query<{ id: string; name: string }>(RECORD_NAMES_SQL, { ids });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** A text with names of records instead of their ids. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\bagent ([0-9a-f-]{36})\b/g, (all, id: string) => names.get(id) ?? all);
}

/** The id of a list's record by its name, key or alias in any case; null: none has it. */
export async function findListEntry(sql: Sql, list: string, name: string): Promise<string | null> {
  const found = await sql.queryOne<{ id: string }>(
    `select id from list_entries where list = :list
       and lower(:name) in (select lower(each) from unnest(aliases || name || key) each)
     order by enabled desc, lower(name) = lower(:name) desc limit 1`,
    { list, name: name.trim() },
  );
  return found?.id ?? null;
}

interface FoundClient {
  id: string;
  /** The public one. */
  clientId: string;
}

/** The ids of the rows of the clients that a public id or a name names; the id of one comes alone. */
export async function findClients(sql: Sql, text: string): Promise<FoundClient[]> {
  const found = await sql.query<FoundClient & { isById: boolean }>(
    `select id, client_id as "clientId", client_id = :text as "isById" from oauth_clients
     where client_id = :text or lower(name) = lower(:text)`,
    { text: text.trim() },
  );
  const byId = found.find(({ isById }) => isById);
  return byId ? [byId] : found;
}

/** The name of a rule of any ruleset, as it is written there. */
export async function findRuleName(sql: Sql, text: string): Promise<string | null> {
  const found = await sql.queryOne<{ name: string }>(
    `select r ->> 'name' as name from routing_rulesets s, jsonb_array_elements(s.rules::jsonb) r
     where lower(r ->> 'name') = lower(:text) order by r ->> 'name' = :text desc, s.version desc limit 1`,
    { text: text.trim() },
  );
  return found?.name ?? null;
}

const RECORD_NAMES_SQL = `
select id, name from list_entries where id = any (:ids::uuid[])
union all select id, name from funnels where id = any (:ids::uuid[])
union all select id, name from developers where id = any (:ids::uuid[])
union all select id, path from locations where id = any (:ids::uuid[])
union all select id, name from agents where id = any (:ids::uuid[])
union all select id, name from teams where id = any (:ids::uuid[])
union all select id, name from funnel_stages where id = any (:ids::uuid[])
union all select id, reference_no from listings where id = any (:ids::uuid[])
union all select id, coalesce(name, platform_campaign_id) from advertising_campaigns where id = any (:ids::uuid[])`;

/** A pool that is gone has its id for a name. */
export async function readPoolName(sql: Sql, poolId: string): Promise<string> {
  const text = `select name from list_entries where id = :poolId`;
  return (await sql.queryOne<{ name: string }>(text, { poolId }))?.name ?? poolId;
}

export function readPools(sql: Sql): Promise<{ id: string; name: string }[]> {
  return sql.query(
    `select id, name from list_entries where list = 'pool' and enabled order by name, id`,
  );
}
