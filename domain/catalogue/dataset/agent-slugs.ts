import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import type { Indexed, RecordOf } from './sections.ts';

/** `slug` is null where the dataset gives none. */
type SlugRequest = Pick<RecordOf<'agents'>, 'email' | 'name' | 'slug'>;

/**
 * The slug of each agent, by e-mail. Without one in the dataset an agent keeps the slug it has, or gets
 * one made of the name: "Zoë H." is `zoe-h`, and the next of that name `zoe-h-2`. `known` is the e-mail
 * of each slug in the database.
 */
export function assignAgentSlugs(
  agents: readonly SlugRequest[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const given = new Map(
    agents.flatMap(({ email, slug }) => (slug === null ? [] : [[email, slug]])),
  );
  const taken = new Set(given.values());
  const kept = new Map<string, string>();
  for (const [slug, email] of known) {
    if (given.has(email) || taken.has(slug)) continue;
    kept.set(email, slug);
    taken.add(slug);
  }
  const slugs = new Map<string, string>();
  for (const { email, name } of agents) {
    const slug = given.get(email) ?? kept.get(email) ?? findFreeSlug(slugify(name), taken);
    taken.add(slug);
    slugs.set(email, slug);
  }
  return slugs;
}

/** Slugs that the dataset gives to two agents, or that an agent outside of the dataset has. */
export function findSlugConflicts(
  agents: readonly Indexed<Omit<SlugRequest, 'name'>>[],
  known: ReadonlyMap<string, string>,
): DatasetIssue[] {
  const inFile = new Set(agents.map(({ value }) => value.email));
  const owners = new Map([...known].filter(([, email]) => !inFile.has(email)));
  return agents.flatMap(({ value: { slug, email }, index }) => {
    if (slug === null) return [];
    const owner = owners.get(slug) ?? email;
    owners.set(slug, owner);
    return owner === email ? [] : [issueAt(['agents', index, 'slug'], `is that of ${owner} too`)];
  });
}

function findFreeSlug(wanted: string, taken: ReadonlySet<string>): string {
  let slug = wanted;
  for (let count = 2; taken.has(slug); count += 1) slug = `${wanted}-${count}`;
  return slug;
}

/** An accent does not end a word. */
function slugify(agentName: string): string {
  const words = agentName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join('-') ?? agentName;
}
