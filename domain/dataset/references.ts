import { placeText } from './fault.ts';
import type { Fault } from './fault.ts';
import { brokenKey } from './parse-dataset.ts';
import type { RecordIds } from './record-ids.ts';
import { sectionNames } from './sections.ts';
import type { Dataset, RecordOf, SectionName } from './sections.ts';

type Names = string | null | readonly string[];

interface Reference<Section extends SectionName> {
  field: string;
  to: SectionName;
  names: (record: RecordOf<Section>) => Names;
}

/** Which field of which section names a record of which other one. */
const references: { readonly [Name in SectionName]?: readonly Reference<Name>[] } = {
  locations: [{ field: 'parent', to: 'locations', names: ({ parent }) => parent }],
  agents: [{ field: 'locations', to: 'locations', names: ({ locations }) => locations }],
  teams: [
    { field: 'members', to: 'agents', names: ({ members }) => members.map(({ agent }) => agent) },
  ],
  projects: [
    { field: 'developer', to: 'developers', names: ({ developer }) => developer },
    { field: 'location', to: 'locations', names: ({ location }) => location },
    { field: 'status', to: 'projectStatuses', names: ({ status }) => status },
    { field: 'propertyTypes', to: 'propertyTypes', names: ({ propertyTypes }) => propertyTypes },
  ],
  listings: [
    { field: 'developer', to: 'developers', names: ({ developer }) => developer },
    { field: 'location', to: 'locations', names: ({ location }) => location },
    { field: 'propertyType', to: 'propertyTypes', names: ({ propertyType }) => propertyType },
    { field: 'agent', to: 'agents', names: ({ agent }) => agent },
  ],
};

/** Names that lead nowhere, neither in the file nor in the database. */
export function referenceFaults(
  dataset: Dataset,
  ids: RecordIds,
  broken: ReadonlySet<string>,
): Fault[] {
  return sectionNames.flatMap((section) => sectionFaults(section, dataset, ids, broken));
}

function sectionFaults<Name extends SectionName>(
  section: Name,
  dataset: Dataset,
  ids: RecordIds,
  broken: ReadonlySet<string>,
): Fault[] {
  const faults: Fault[] = [];
  const fields = references[section] ?? [];
  for (const { value, index } of fields.length > 0 ? (dataset[section] ?? []) : []) {
    for (const { field, to, names } of fields) {
      const named = names(value as RecordOf<Name>);
      if (named === null) continue;
      for (const [at, name] of [named].flat().entries()) {
        if (ids.find(to, name) !== undefined || broken.has(brokenKey(to, name))) continue;
        const path = [section, index, field, ...(Array.isArray(named) ? [at] : [])];
        faults.push({ place: placeText(path), message: `no record of ${to} is called "${name}"` });
      }
    }
  }
  return faults;
}
