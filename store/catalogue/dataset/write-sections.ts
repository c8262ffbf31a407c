import { findCode } from '../../../domain/catalogue/dataset/references.ts';
import {
  sectionNames,
  type Dataset,
  type SectionName,
} from '../../../domain/catalogue/dataset/sections.ts';
import { currencies } from '../../../domain/catalogue/lookups/standard-lists.ts';
import { sectionTables, toRow, type ListSection, type SectionRow } from './section-tables.ts';
import { writeAgents } from './sections/agents.ts';
import { writeFunnels } from './sections/funnels.ts';
import { writeCompetitorDomains, writeKnownAgents, writeQuizFields } from './sections/hygiene.ts';
import { writeList, writeSubSources } from './sections/lists.ts';
import { writeLocations } from './sections/locations.ts';
import { writeRules } from './sections/rules.ts';
import { writeTeams } from './sections/teams.ts';
import { STAGED_IDS_SQL, type StagedListing } from './staged-listings.ts';
import { sum, upsert, type Counts } from './upsert.ts';
import { disableMissing, writeRows, type ImportContext, type WriteSection } from './write-rows.ts';

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

/** Writes the staged listings a batch at a time. */
async function writeListings(context: ImportContext): Promise<Counts> {
  const table = sectionTables.listings;
  const counts: Counts[] = [];
  for await (const batch of context.listings.batches()) {
    const rows = batch.map((listing) => listingRow(context, listing));
    counts.push(await upsert(context.sql, table, rows, context.onWritten));
  }
  return { ...sum(counts), disabled: await disableMissing(context, table, STAGED_IDS_SQL) };
}

function listingRow({ ids }: ImportContext, { id, value }: StagedListing): SectionRow {
  const currency = value.currency === null ? null : findCode(currencies, value.currency);
  return { ...toRow('listings', value, id, ids), currency };
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
