import { formatPath } from '../../format-path.ts';
import type { Fault } from './dataset-error.ts';
import { namedTexts } from './named-texts.ts';
import type { NamingField } from './named-texts.ts';
import { allRecords, brokenKey } from './parse-dataset.ts';
import type { ParsedDataset } from './parse-dataset.ts';
import type { RecordIds } from './record-ids.ts';
import { sectionNames } from './sections.ts';
import type { Indexed, SectionName } from './sections.ts';

interface Reference extends NamingField {
  to: SectionName;
}

/** Which field of which section names a record of which other one. */
const references: { readonly [Name in SectionName]?: readonly Reference[] } = {
  locations: [{ field: 'parent', to: 'locations' }],
  agents: [{ field: 'locations', to: 'locations' }],
  teams: [{ field: 'members', inner: 'agent', to: 'agents' }],
  projects: [
    { field: 'developer', to: 'developers' },
    { field: 'location', to: 'locations' },
    { field: 'status', to: 'projectStatuses' },
    { field: 'propertyTypes', to: 'propertyTypes' },
  ],
  listings: [
    { field: 'developer', to: 'developers' },
    { field: 'location', to: 'locations' },
    { field: 'propertyType', to: 'propertyTypes' },
    { field: 'agent', to: 'agents' },
  ],
};

/** Names that lead nowhere, neither in the file nor in the database. */
export function referenceFaults(parsed: ParsedDataset, ids: RecordIds): Fault[] {
  return sectionNames.flatMap((section) => {
    const fields = references[section];
    if (!fields) return [];
    return allRecords(parsed, section).flatMap((record) =>
      fields.flatMap((field) => fieldFaults(section, record, field, parsed, ids)),
    );
  });
}

function fieldFaults(
  section: SectionName,
  record: Indexed<unknown>,
  reference: Reference,
  parsed: ParsedDataset,
  ids: RecordIds,
): Fault[] {
  return namedTexts(section, record, reference)
    .filter(({ text }) => leadsNowhere(text, reference.to, parsed, ids))
    .map(({ path, text }) => ({
      place: formatPath(path),
      message: `no record of ${reference.to} is called "${text}"`,
    }));
}

function leadsNowhere(
  name: string,
  to: SectionName,
  { broken }: ParsedDataset,
  ids: RecordIds,
): boolean {
  return ids.find(to, name) === undefined && !broken.has(brokenKey(to, name));
}
