import type { Sql } from '../db/database.ts';
import { statement, type NoParams } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const NAMES = {
  list_entries: 'name',
  funnels: 'name',
  developers: 'name',
  locations: 'path',
  agents: 'name',
  teams: 'name',
  funnel_stages: 'name',
  listings: 'reference_no',
  advertising_campaigns: 'coalesce(name, platform_campaign_id)',
} as const;
export type NamedTable = keyof typeof NAMES;

/** Agents and teams by name, locations by path. A deleted record has its id instead. */
export async function readRecordNames(sql: Sql, value: unknown): Promise<Map<string, string>> {
  const ids = [...new Set(JSON.stringify(value).match(UUID) ?? [])];
  if (ids.length === 0) return new Map();
  const rows = await sql.all(READ_RECORD_NAMES, { ids });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const READ_RECORD_NAMES = statement<{ ids: string[] }, { id: string; name: string }>(
  'read_record_names',
)`${Object.entries(NAMES)
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

type FoundClient = Pick<TableRow<'oauth_clients'>, 'id' | 'name'> & { clientId: string };

/** By public id, else by name, else by at least 8 leading characters of the id. */
export async function findClients(sql: Sql, text: string) {
  const asked = text.trim();
  const found = await sql.all(FIND_CLIENTS, { asked });
  const byId = found.filter(({ clientId }) => clientId === asked);
  const byName = found.filter(({ name }) => name.toLowerCase() === asked.toLowerCase());
  const [named = []] = [byId, byName, found].filter(({ length }) => length > 0);
  return named.map(({ id, clientId }) => ({ id, clientId }));
}

const FIND_CLIENTS = statement<{ asked: string }, FoundClient>('find_clients')`
select id, client_id as "clientId", name from oauth_clients
where client_id = :asked or lower(name) = lower(:asked)
  or length(:asked) >= 8 and starts_with(lower(client_id), lower(:asked))`;

export async function findRuleName(sql: Sql, text: string): Promise<string | null> {
  return (await sql.first(FIND_RULE_NAME, { text: text.trim() }))?.name ?? null;
}

const FIND_RULE_NAME = statement<{ text: string }, { name: string }>('find_rule_name')`
select r ->> 'name' as name from routing_rulesets s, jsonb_array_elements(s.rules) r
where lower(r ->> 'name') = lower(:text) order by r ->> 'name' = :text desc, s.version desc limit 1`;

export function readPools(sql: Sql): Promise<{ id: string; name: string }[]> {
  return sql.all(READ_POOLS, {});
}

const READ_POOLS = statement<NoParams, { id: string; name: string }>('read_pools')`
select id, name from list_entries where list = 'pool' and enabled order by name, id`;
