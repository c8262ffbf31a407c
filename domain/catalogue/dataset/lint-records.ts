import type { LintRecords } from '../../routing/lint-rules.ts';
import type { KnownRecords, RecordIds } from './record-ids.ts';
import { findCode } from './references.ts';
import { allLanguages } from './rule-values.ts';
import type { Dataset } from './sections.ts';

/** The records as an import of a dataset would leave them. */
export function withDataset(
  records: LintRecords,
  { dataset, ids, known }: { dataset: Dataset; ids: RecordIds; known: KnownRecords },
): LintRecords {
  const languages = allLanguages(dataset, known);
  const agents = (dataset.agents ?? []).map(({ value }) => ({
    ...value,
    id: ids.of('agents', value.email),
    languages: value.languages.map((language) => findCode(languages, language) ?? language),
    locationIds: value.locations.map((location) => ids.of('locations', location)),
  }));
  const teams = (dataset.teams ?? []).map(({ value: { name, members } }) => ({
    id: ids.of('teams', name),
    agentIds: members.map(({ agent }) => ids.of('agents', agent)),
  }));
  const pools = (dataset.pools ?? []).map(({ value: { name, enabled } }) => {
    return { id: ids.of('pools', name), enabled };
  });
  const places = new Map(records.locations.map(({ id, ancestorIds }) => [id, ancestorIds]));
  for (const { value } of dataset.locations ?? []) {
    const parentId = value.parent === null ? null : ids.of('locations', value.parent);
    const ancestorIds = parentId === null ? [] : [...(places.get(parentId) ?? []), parentId];
    places.set(ids.of('locations', value.key), ancestorIds);
  }
  return {
    agents: overlay(records.agents, agents),
    teams: overlay(records.teams, teams),
    pools: overlay(records.pools, pools),
    locations: [...places]
      .map(([id, ancestorIds]) => ({ id, ancestorIds }))
      .toSorted((a, b) => b.ancestorIds.length - a.ancestorIds.length),
  };
}

function overlay<T extends { id: string }>(known: readonly T[], given: readonly T[]): T[] {
  return [...new Map([...known, ...given].map((each) => [each.id, each])).values()];
}
