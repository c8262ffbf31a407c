import { lookupKey } from '../lookups/lookup-list.ts';
import { formatPath } from '../../format-path.ts';
import type { Fault } from './dataset-error.ts';
import type { KnownRecords } from './known-records.ts';
import { keyOf } from './record-ids.ts';
import { sectionNames, sections } from './sections.ts';
import type { Dataset, Indexed, SectionName } from './sections.ts';

/** Two records of one key, and what else may be there only once. */
export function duplicateFaults(dataset: Dataset, known: KnownRecords): Fault[] {
  return [
    ...sectionNames.flatMap((section) => sameKeys(section, dataset)),
    ...sameSubSources(dataset.sources ?? []),
    ...sameMembers(dataset.teams ?? []),
    ...sameSlugs(dataset.agents ?? [], known),
  ];
}

function sameKeys(section: SectionName, dataset: Dataset): Fault[] {
  const field = sections[section].key.at(-1);
  if (field === undefined) return [];
  const records: readonly Indexed<unknown>[] = dataset[section] ?? [];
  return repeats(records.map(({ value, index }) => [keyOf(section, value), index] as const)).map(
    ({ index, first }) => ({
      place: formatPath([section, index, field]),
      message: `is the same as that of ${formatPath([section, first])}`,
    }),
  );
}

function sameSubSources(sources: readonly Indexed<{ subSources: string[] }>[]): Fault[] {
  return sources.flatMap(({ value, index }) =>
    repeatedNames(value.subSources, ['sources', index, 'subSources']),
  );
}

function sameMembers(teams: readonly Indexed<{ members: { agent: string }[] }>[]): Fault[] {
  return teams.flatMap(({ value, index }) =>
    repeatedNames(
      value.members.map(({ agent }) => agent),
      ['teams', index, 'members'],
    ),
  );
}

function repeatedNames(names: readonly string[], path: readonly PropertyKey[]): Fault[] {
  return repeats(names.map((name, at) => [lookupKey(name), at] as const)).map(({ index }) => ({
    place: formatPath([...path, index]),
    message: 'is there already',
  }));
}

function sameSlugs(
  agents: readonly Indexed<{ slug: string | null; email: string }>[],
  known: KnownRecords,
): Fault[] {
  const moving = new Set(agents.map(({ value }) => value.email));
  const taken = new Map([...known.agentSlugs].filter(([, email]) => !moving.has(email)));
  const faults: Fault[] = [];
  for (const { value, index } of agents) {
    const { slug, email } = value;
    if (slug === null) continue;
    const owner = taken.get(slug) ?? email;
    const place = formatPath(['agents', index, 'slug']);
    if (owner !== email) faults.push({ place, message: `is that of ${owner} too` });
    taken.set(slug, owner);
  }
  return faults;
}

function repeats(keys: readonly (readonly [key: string, index: number])[]) {
  const seen = new Map<string, number>();
  return keys.flatMap(([key, index]) => {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined ? [] : [{ index, first }];
  });
}
