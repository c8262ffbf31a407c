interface SlugRequest {
  email: string;
  name: string;
  /** Null where the dataset gives none. */
  slug: string | null;
}

/**
 * The slug of each agent, by e-mail. Without one in the dataset an agent keeps the slug of earlier, or gets
 * one made of the name: "Zoë H." is `zoe-h`, and the next of that name `zoe-h-2`. `known` is whose each slug is.
 */
export function agentSlugs(
  agents: readonly SlugRequest[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const given = new Map(
    agents.flatMap(({ email, slug }) => (slug === null ? [] : [[email, slug]])),
  );
  const claimed = new Set(given.values());
  const kept = new Map(
    [...known].flatMap(([slug, email]) =>
      given.has(email) || claimed.has(slug) ? [] : [[email, slug]],
    ),
  );
  const taken = new Set([...claimed, ...kept.values()]);
  const slugs = new Map<string, string>();
  for (const { email, name } of agents) {
    const slug = given.get(email) ?? kept.get(email) ?? freeSlug(slugOf(name), taken);
    taken.add(slug);
    slugs.set(email, slug);
  }
  return slugs;
}

function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  let slug = wanted;
  for (let count = 2; taken.has(slug); count += 1) slug = `${wanted}-${count}`;
  return slug;
}

/** Accents are no ends of words. */
function slugOf(agentName: string): string {
  const words = agentName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join('-') ?? agentName;
}
