import type { Sql } from '../../store/db/database.ts';

/** Ids of agents by their slugs. */
export type AgentIds = ReadonlyMap<string, string>;

export async function readAgentIds(sql: Sql): Promise<AgentIds> {
  const agents = await sql.query<{ id: string; slug: string }>(`select id, slug from agents`);
  return new Map(agents.map(({ id, slug }) => [slug, id]));
}

/**
 * A history with the ids of agents in the place of their slugs, which are made of persons' names. A replay
 * compares neither results of activities nor values of search attributes, so the file replays the same.
 */
export function withAgentIds(json: string, ids: AgentIds): string {
  const isPayload = (value: unknown): value is { data: string } =>
    typeof (value as { data?: unknown } | null)?.data === 'string';
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) => {
      if (!isPayload(value)) return value;
      const data = replaceIn(decode(value.data), ids, key === 'Agent');
      return { ...value, data: Buffer.from(data).toString('base64') };
    }),
    null,
    2,
  );
}

const decode = (data: string) => Buffer.from(data, 'base64').toString('utf8');

function replaceIn(text: string, ids: AgentIds, isSearchAttribute: boolean): string {
  try {
    return JSON.stringify(
      JSON.parse(text, (key, value: unknown) => {
        if (typeof value !== 'string') return value;
        const isSlug = key === 'agentSlug' || (key === '' && isSearchAttribute);
        return isSlug ? (ids.get(value) ?? value) : replaceNamed(value, ids);
      }),
    );
  } catch {
    return text; // a payload that is not JSON
  }
}

/** In the lines that tell why a lead went where it is: `agent sara-haddad`. */
function replaceNamed(line: string, ids: AgentIds): string {
  return line.replaceAll(/\bagent ([\p{L}\p{N}-]+)/gu, (all, slug: string) =>
    ids.has(slug) ? `agent ${ids.get(slug)}` : all,
  );
}
