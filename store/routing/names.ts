import type { Decision, Reassignment } from '../../domain/routing/decision.ts';
import type { Sql } from '../db/database.ts';

/** Pools by name, agents by id, since workflow histories show these lines and no person is named there. */
export async function readDecisionNames(sql: Sql, decision: Decision | Reassignment) {
  const agentById = (id: string) => `agent ${id}`;
  if (decision.kind !== 'pool') return agentById;
  const { poolId } = decision;
  const name = await readPoolName(sql, poolId);
  return (id: string) => (id === poolId ? `'${name}'` : agentById(id));
}

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

/** Agents and teams by name, places by their path. A record that is gone keeps its id for a name. */
export async function readRecordNames(sql: Sql, value: unknown): Promise<Map<string, string>> {
  const ids = [...new Set(JSON.stringify(value).match(UUID) ?? [])];
  if (ids.length === 0) return new Map();
  const { tables, fragment, run } = sql;
  const named = Object.entries(NAMES).map(([table, name]) =>
    tables
      .selectFrom(table as NamedTable)
      .where('id', '=', fragment<string>`any (${ids}::uuid[])`)
      .select(['id', fragment<string>`${fragment.raw(name)}`.as('name')]),
  );
  const rows = await run(named.reduce((all, each) => all.unionAll(each)));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\bagent ([0-9a-f-]{36})\b/g, (all, id: string) => names.get(id) ?? all);
}

/** The id of a list's record by its name, key or alias in any case; null: none has it. */
export async function findListEntry({ tables, fragment, run }: Sql, list: string, name: string) {
  const asked = fragment<string>`lower(${name.trim()})`;
  const named = fragment<boolean>`${asked} in (select lower(each) from unnest(aliases || name || key) each)`;
  const entries = tables.selectFrom('list_entries').where('list', '=', list).where(named);
  const nearest = entries
    .orderBy('enabled', 'desc')
    .orderBy(fragment`lower(name) = ${asked}`, 'desc');
  const [found] = await run(nearest.select('id').limit(1));
  return found?.id ?? null;
}

/** The likeness from which on a name is near. */
const NEAR = 0.4;
const MOST_NEAR = 3;

/** The names nearest to a text that names no source, client or team, the nearest first. */
export async function findNearNames(
  { tables, fragment, run }: Sql,
  kind: 'source' | 'client' | 'team',
  text: string,
): Promise<string[]> {
  const table = ({ source: 'list_entries', client: 'oauth_clients', team: 'teams' } as const)[kind];
  const likeness = fragment<number>`word_similarity(${text.trim()}, name)`;
  const isOfKind =
    kind === 'source' ? fragment<boolean>`list = 'source' and enabled` : fragment<boolean>`true`;
  const near = tables
    .selectFrom(table)
    .where(isOfKind)
    .where(likeness, '>', NEAR)
    .orderBy(likeness, 'desc')
    .orderBy('name')
    .limit(MOST_NEAR);
  return (await run(near.select('name'))).map(({ name }) => name);
}

/** So many characters of a public id stand for it, as of a lead's id. */
const SHORTEST_BEGINNING = 8;

/** By public id, else by a name, which several may have, else by the beginning of public ids. */
export async function findClients({ tables, run }: Sql, text: string) {
  const asked = text.trim();
  const clients = tables.selectFrom('oauth_clients').where(({ eb, fn, or, val }) => {
    const isByName = eb(fn<string>('lower', ['name']), '=', fn<string>('lower', [val(asked)]));
    const begins = fn<boolean>('starts_with', [
      fn<string>('lower', ['client_id']),
      val(asked.toLowerCase()),
    ]);
    const isBeginning = asked.length >= SHORTEST_BEGINNING ? [begins] : [];
    return or([eb('client_id', '=', asked), isByName, ...isBeginning]);
  });
  const found = await run(clients.select(['id', 'client_id as clientId', 'name']));
  const byId = found.filter(({ clientId }) => clientId === asked);
  const byName = found.filter(({ name }) => name.toLowerCase() === asked.toLowerCase());
  const [named = []] = [byId, byName, found].filter(({ length }) => length > 0);
  return named.map(({ id, clientId }) => ({ id, clientId }));
}

export async function findRuleName({ tables, fragment, run }: Sql, text: string) {
  const asked = text.trim();
  const name = fragment<string>`r ->> 'name'`;
  const rules = tables
    .selectFrom(['routing_rulesets as s', fragment`jsonb_array_elements(s.rules)`.as('r')])
    .where(fragment<boolean>`lower(${name}) = lower(${asked})`)
    .orderBy(fragment`${name} = ${asked}`, 'desc')
    .orderBy('s.version', 'desc');
  const [found] = await run(rules.select(name.as('name')).limit(1));
  return found?.name ?? null;
}

/** A pool that is gone has its id for a name. */
export async function readPoolName({ tables, run }: Sql, poolId: string): Promise<string> {
  const pools = tables.selectFrom('list_entries').where('id', '=', poolId);
  const [pool] = await run(pools.select('name'));
  return pool?.name ?? poolId;
}

export function readPools({ tables, run }: Sql): Promise<{ id: string; name: string }[]> {
  const pools = tables
    .selectFrom('list_entries')
    .where('list', '=', 'pool')
    .where('enabled', '=', true);
  return run(pools.select(['id', 'name']).orderBy('name').orderBy('id'));
}
