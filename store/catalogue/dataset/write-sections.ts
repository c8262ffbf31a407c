import { sectionNames } from '../../../domain/catalogue/dataset/sections.ts';
import type { Dataset, SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { ImportContext, WriteSection } from './import-context.ts';
import { sectionTables, toRow } from './section-tables.ts';
import type { ListSection } from './section-tables.ts';
import { writeAgents } from './sections/agents.ts';
import { writeFunnels } from './sections/funnels.ts';
import { writeCompetitorDomains, writeKnownAgents, writeQuizFields } from './sections/hygiene.ts';
import { writeList, writeSubSources } from './sections/lists.ts';
import { writeListings } from './sections/listings.ts';
import { writeLocations } from './sections/locations.ts';
import { writeRules } from './sections/rules.ts';
import { writeTeams } from './sections/teams.ts';
import { sum } from './upsert.ts';
import type { Counts } from './upsert.ts';
import { writeRows } from './write-rows.ts';

export type SectionCounts = { [Name in SectionName]?: Counts };

const writers: { readonly [Name in SectionName]: WriteSection<Name> } = {
  propertyTypes: listWriter('propertyTypes'),
  projectStatuses: listWriter('projectStatuses'),
  sources: async (context, records) =>
    sum([await writeList(context, 'sources', records), await writeSubSources(context, records)]),
  campaigns: listWriter('campaigns'),
  marketingTypes: listWriter('marketingTypes'),
  eventTypes: listWriter('eventTypes'),
  websites: listWriter('websites'),
  leadTypes: listWriter('leadTypes'),
  languages: listWriter('languages'),
  pools: listWriter('pools'),
  funnels: writeFunnels,
  developers: slugWriter('developers'),
  locations: writeLocations,
  agents: writeAgents,
  teams: writeTeams,
  projects: slugWriter('projects'),
  listings: writeListings,
  quizFields: writeQuizFields,
  knownAgents: writeKnownAgents,
  competitorDomains: writeCompetitorDomains,
  rules: writeRules,
};

function listWriter<Section extends ListSection>(section: Section): WriteSection<Section> {
  return (context, records) => writeList(context, section, records);
}

function slugWriter<Section extends 'developers' | 'projects'>(
  section: Section,
): WriteSection<Section> {
  return (context, records) => {
    const { ids } = context;
    const rows = records.map(({ value }) =>
      toRow(section, value, ids.of(section, value.slug), ids),
    );
    return writeRows(context, sectionTables[section], rows);
  };
}

/** Writes every section that the file has, in the order in which records can name each other. */
export async function writeSections(
  dataset: Dataset,
  contextOf: (section: SectionName) => ImportContext,
): Promise<SectionCounts> {
  const counts: SectionCounts = {};
  for (const section of sectionNames) {
    const written = await writeSection(section, dataset, contextOf(section));
    if (written) counts[section] = written;
  }
  return counts;
}

async function writeSection<Name extends SectionName>(
  section: Name,
  dataset: Dataset,
  context: ImportContext,
): Promise<Counts | null> {
  const records = dataset[section];
  const write: WriteSection<Name> = writers[section];
  return records ? write(context, records) : null;
}
