import { decodePayload, isPayload } from './payloads.ts';

/** Ids of agents by their slugs. */
export type AgentIds = ReadonlyMap<string, string>;

/**
 * Replaces the slugs of agents, which contain names of persons, by their ids: those of now, and those that an agent
 * had when the history was made. Two slugs never become one text, so that what changed in the run still changes.
 */
export function createSlugReplacer(history: unknown, ids: AgentIds) {
  const replacements = new Map(ids);
  for (const [slug, id] of slugsIn(history))
    if (!replacements.has(slug)) replacements.set(slug, unusedName(id, replacements));
  const inReason = reasonPattern([...replacements.keys()]);
  return (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (key === 'agentSlug') return replacements.get(value) ?? value;
    return value.replace(inReason, (slug) => replacements.get(slug) ?? slug);
  };
}

/** A cleaned history has the id for a slug, which stays. */
function unusedName(id: string, replacements: AgentIds): string {
  const used = new Set(replacements.values());
  let name = id;
  for (let count = 2; used.has(name); count += 1) name = `${id}-${count}`;
  return name;
}

function* slugsIn(value: unknown): Generator<[slug: string, id: string]> {
  if (typeof value !== 'object' || value === null) return;
  if (isPayload(value)) return yield* slugsIn(decodePayload(value));
  const { agentSlug, agentId } = value as { agentSlug?: unknown; agentId?: unknown };
  if (typeof agentSlug === 'string' && typeof agentId === 'string') yield [agentSlug, agentId];
  for (const each of Object.values(value)) yield* slugsIn(each);
}

/** Reasons of decisions name agents as `agent sara-haddad`. */
function reasonPattern(slugs: readonly string[]): RegExp {
  const longestFirst = slugs.toSorted((one, other) => other.length - one.length).map(escapeRegExp);
  return new RegExp(
    `(?<=\\bagent )(?:${longestFirst.join('|') || '(?!)'})(?![\\p{L}\\p{N}-])`,
    'gu',
  );
}

export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
