/** Ids of agents by their slugs. */
type AgentIds = ReadonlyMap<string, string>;

/**
 * Replaces the slugs of agents, which contain names of persons, by their ids. A replay compares neither
 * results of activities nor values of search attributes, so the history replays the same.
 */
export function replaceAgentSlugs(json: string, ids: AgentIds): string {
  const isPayload = (value: unknown): value is { data: string } =>
    typeof (value as { data?: unknown } | null)?.data === 'string';
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) => {
      if (!isPayload(value)) return value;
      const data = replaceInPayload(decode(value.data), ids, key === 'Agent');
      return { ...value, data: Buffer.from(data).toString('base64') };
    }),
    null,
    2,
  );
}

const decode = (data: string) => Buffer.from(data, 'base64').toString('utf8');

function replaceInPayload(text: string, ids: AgentIds, isSearchAttribute: boolean): string {
  try {
    return JSON.stringify(
      JSON.parse(text, (key, value: unknown) => {
        if (typeof value !== 'string') return value;
        const isSlug = key === 'agentSlug' || (key === '' && isSearchAttribute);
        return isSlug ? (ids.get(value) ?? value) : replaceInReason(value, ids);
      }),
    );
  } catch {
    return text; // a payload that is not JSON
  }
}

/** Reasons of decisions name agents as `agent sara-haddad`. */
function replaceInReason(line: string, ids: AgentIds): string {
  return line.replaceAll(/\bagent ([\p{L}\p{N}-]+)/gu, (all, slug: string) =>
    ids.has(slug) ? `agent ${ids.get(slug)}` : all,
  );
}
