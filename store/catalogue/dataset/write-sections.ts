import { listingSchema } from '../../../domain/catalogue/dataset/records.ts';
import { findCode } from '../../../domain/catalogue/dataset/resolve-rules.ts';
import {
  sectionNames,
  type Dataset,
  type Indexed,
  type RecordOf,
  type SectionName,
} from '../../../domain/catalogue/dataset/sections.ts';
import { currencies } from '../../../domain/catalogue/lookups/standard-lists.ts';
import { statement } from '../../db/statement.ts';
import { removeMissing, type Row, type WrittenTable } from '../../db/rows.ts';
import { writeAgents, writeTeams } from './agents.ts';
import type { ImportContext, WriteSection } from './import-context.ts';
import { readListings, STAGED_IDS_SQL, type StagedListing } from './listings.ts';
import { writeFunnels, writeList, writeSources } from './lists.ts';
import { writeRules } from './rules.ts';
import { sectionTable, toRow, type TableSection } from './section-tables.ts';
import { sum, upsert, writeRows, type Counts, type SectionCounts } from './upsert.ts';

const knownAgents: WrittenTable = {
  name: 'known_agents',
  columns: ['kind', 'value'],
  key: ['kind', 'value'],
};
const competitorDomains: WrittenTable = {
  name: 'competitor_domains',
  columns: ['domain'],
  key: ['domain'],
};

const sectionWriters: { readonly [Name in SectionName]: WriteSection<Name> } = {
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
  absences: writeTable,
  datedHours: writeTable,
  holidays: writeTable,
  projects: writeTable,
  listings: writeListings,
  quizFields: writeTable,
  knownAgents(context, records) {
    const rows = records.flatMap(({ value }) => value.map((point) => ({ ...point })));
    return writeRows(context, knownAgents, rows);
  },
  competitorDomains(context, records) {
    const rows = records.map(({ value: domain }) => ({ domain }));
    return writeRows(context, competitorDomains, rows);
  },
  rules: writeRules,
};

function writeTable(
  context: ImportContext,
  records: readonly Indexed<object>[],
  section: TableSection,
) {
  const table = sectionTable(section);
  const rows = records.map(({ value }) => toRow(table, value, context.ids));
  return writeRows(table.isReplaced ? { ...context, disableMissing: true } : context, table, rows);
}

const locations = sectionTable('locations');

/** Parents come before their children; paths follow, those of locations under a moved one included. */
async function writeLocations(
  context: ImportContext,
  records: readonly Indexed<RecordOf<'locations'>>[],
) {
  const rows = records.map(({ value }) => ({
    ...toRow(locations, value, context.ids),
    path: value.name,
    ancestor_ids: [],
  }));
  const counts = await writeRows(context, locations, rows);
  if (counts.created + counts.updated > 0) await context.sql.all(UPDATE_PATHS, {});
  return counts;
}

/** "Full ancestry text for telling similar names apart" (Reference records, Location), root first. */
const UPDATE_PATHS = statement('update_paths')`
with recursive tree as (
  select id, name as path, array[]::uuid[] as ancestor_ids from locations where parent_id is null
  union all
  select l.id, t.path || ' > ' || l.name, t.ancestor_ids || t.id
  from tree t join locations l on l.parent_id = t.id)
update locations l set path = t.path, ancestor_ids = t.ancestor_ids, updated_at = now()
from tree t where l.id = t.id and (l.path, l.ancestor_ids) is distinct from (t.path, t.ancestor_ids)`;

const listingTable = sectionTable('listings');

async function writeListings(context: ImportContext): Promise<Counts> {
  const { sql, listings, listingChanges } = context;
  const counts: Counts[] = [];
  for await (const batch of listings.batches()) {
    const rows = batch.map((listing) => listingRow(context, listing));
    const written = await upsert(sql, listingTable, rows, context.onWritten);
    counts.push(written);
    if (written.created + written.updated === 0) continue;
    const after = await readListings(sql, batch);
    for (const { id, stored } of batch) listingChanges.compare(stored, after.get(id));
  }
  const disabled = context.disableMissing
    ? await removeMissing(sql, listingTable, { given: STAGED_IDS_SQL })
    : 0;
  return { ...sum(counts), disabled };
}

function listingRow({ ids }: ImportContext, { id, value }: StagedListing): Row {
  const listing = listingSchema.parse(value);
  const currency = listing.currency === null ? null : findCode(currencies, listing.currency);
  return { ...toRow(listingTable, listing, ids), id, currency };
}

/** Writes every section that the file has, in the order in which records can name each other. */
export async function writeSections(dataset: Dataset, context: Omit<ImportContext, 'onWritten'>) {
  const counts: SectionCounts = {};
  for (const section of sectionNames) {
    const records = dataset[section];
    if (!records) continue;
    const total = section === 'listings' ? context.listings.count : records.length;
    let done = 0;
    const onWritten = (rows: number) => {
      done += rows;
      context.onProgress?.(section, done, total);
    };
    const write = sectionWriters[section] as WriteSection<SectionName>;
    counts[section] = await write({ ...context, onWritten }, records, section);
  }
  return counts;
}
