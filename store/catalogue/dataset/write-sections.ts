import { findCode } from '../../../domain/catalogue/dataset/references.ts';
import {
  sectionNames,
  type Dataset,
  type Indexed,
  type RecordOf,
  type SectionName,
} from '../../../domain/catalogue/dataset/sections.ts';
import { listingSchema } from '../../../domain/catalogue/dataset/records.ts';
import { currencies } from '../../../domain/catalogue/lookups/standard-lists.ts';
import type { Row } from '../../db/insert-rows.ts';
import { CompetitorDomain, KnownAgent } from '../../tables/contacts.ts';
import { sectionTables, toRow, type TableSection } from './section-tables.ts';
import { readListings } from './section-records.ts';
import { writeAgents } from './sections/agents.ts';
import { writeFunnels } from './sections/funnels.ts';
import { writeList, writeSources } from './sections/lists.ts';
import { writeLocations } from './sections/locations.ts';
import { writeRules } from './sections/rules.ts';
import { writeTeams } from './sections/teams.ts';
import { STAGED_IDS_SQL, type StagedListing } from './staged-listings.ts';
import { sum, upsert, upsertTable, type Counts, type SectionCounts } from './upsert.ts';
import { removeMissing, writeRows, type ImportContext, type WriteSection } from './write-rows.ts';

const knownAgents = upsertTable(KnownAgent, { key: ['kind', 'value'] });
const competitorDomains = upsertTable(CompetitorDomain, { key: ['domain'] });

const writers: { readonly [Name in SectionName]: WriteSection<Name> } = {
  propertyTypes: writeList,
  projectStatuses: writeList,
  sources: writeSources,
  campaigns: writeList,
  marketingTypes: writeList,
  eventTypes: writeList,
  websites: writeList,
  leadTypes: writeList,
  languages: writeList,
  pools: writeList,
  funnels: writeFunnels,
  developers: writeTable,
  locations: writeLocations,
  agents: writeAgents,
  teams: writeTeams,
  absences: replaceTable,
  datedHours: replaceTable,
  holidays: replaceTable,
  projects: writeTable,
  listings: writeListings,
  quizFields: writeTable,
  knownAgents(context, records) {
    const rows = records.flatMap(({ value }) => value.map((contactPoint) => ({ ...contactPoint })));
    return writeRows(context, knownAgents, rows);
  },
  competitorDomains(context, records) {
    const rows = records.map(({ value }) => ({ domain: value }));
    return writeRows(context, competitorDomains, rows);
  },
  rules: writeRules,
};

function writeTable<Section extends TableSection>(
  context: ImportContext,
  records: readonly Indexed<RecordOf<Section>>[],
  section: Section,
): Promise<Counts> {
  const rows = records.map(({ value }) => toRow(section, value, context.ids));
  return writeRows(context, sectionTables[section], rows);
}

/** The section given replaces the former one. */
function replaceTable<Section extends 'absences' | 'datedHours' | 'holidays'>(
  context: ImportContext,
  records: readonly Indexed<RecordOf<Section>>[],
  section: Section,
): Promise<Counts> {
  return writeTable({ ...context, disableMissing: true }, records, section);
}

/** Writes the staged listings a batch at a time. */
async function writeListings(context: ImportContext): Promise<Counts> {
  const table = sectionTables.listings;
  const counts: Counts[] = [];
  for await (const batch of context.listings.batches()) {
    const rows = batch.map((listing) => listingRow(context, listing));
    const written = await upsert(context.sql, table, rows, context.onWritten);
    if (written.created + written.updated > 0) await compareListings(context, batch);
    counts.push(written);
  }
  return { ...sum(counts), disabled: await removeMissing(context, table, STAGED_IDS_SQL) };
}

function listingRow({ ids }: ImportContext, { id, value }: StagedListing): Row {
  const listing = listingSchema.parse(value);
  const currency = listing.currency === null ? null : findCode(currencies, listing.currency);
  return { ...toRow('listings', listing, ids), id, currency };
}

async function compareListings(
  { sql, listingChanges }: ImportContext,
  batch: readonly StagedListing[],
): Promise<void> {
  const after = await readListings(
    sql,
    batch.map(({ id }) => id),
  );
  for (const { id, stored } of batch) listingChanges.compare(stored, after.get(id));
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
  return records ? write(context, records, section) : null;
}
