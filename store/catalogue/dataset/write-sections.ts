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
import type { Sql } from '../../db/database.ts';
import type { Row } from '../../db/insert-rows.ts';
import { AgentAbsence, AgentDatedHours, Holiday } from '../../tables/agents.ts';
import { CompetitorDomain, KnownAgent } from '../../tables/contacts.ts';
import { Developer, Location, Project } from '../../tables/projects.ts';
import { QuizField } from '../../tables/submissions.ts';
import { writeAgents, writeTeams } from './agents.ts';
import type { ImportContext, WriteSection } from './import-context.ts';
import { listingTable, readListings, STAGED_IDS_SQL, type StagedListing } from './listings.ts';
import { writeFunnels, writeList, writeSources } from './lists.ts';
import { writeRules } from './rules.ts';
import { sectionTable, toRow, type SectionTable } from './section-tables.ts';
import {
  removeMissing,
  sum,
  upsert,
  upsertTable,
  writeRows,
  type Counts,
  type SectionCounts,
} from './upsert.ts';

const developerTable = sectionTable('developers', Developer, {
  flag: 'enabled',
  insertOnly: ['slug'],
  except: ['contact_id'],
});
const locationTable = sectionTable('locations', Location, {
  flag: 'enabled',
  insertOnly: ['key', 'path', 'ancestor_ids'],
});
const projectTable = sectionTable('projects', Project, { flag: 'published', insertOnly: ['slug'] });
const quizFieldTable = sectionTable('quizFields', QuizField, { key: ['quiz_key', 'question_key'] });
const absenceTable = sectionTable('absences', AgentAbsence, {
  key: ['agent_id', 'starts', 'ends'],
});
const datedHoursTable = sectionTable('datedHours', AgentDatedHours, {
  key: ['agent_id', 'starts', 'ends'],
});
const holidayTable = sectionTable('holidays', Holiday, { key: ['name', 'starts', 'ends'] });
const knownAgents = upsertTable(KnownAgent, { key: ['kind', 'value'] });
const competitorDomains = upsertTable(CompetitorDomain, { key: ['domain'] });

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
  developers: writeTable(developerTable),
  locations: writeLocations,
  agents: writeAgents,
  teams: writeTeams,
  absences: replaceTable(absenceTable),
  datedHours: replaceTable(datedHoursTable),
  holidays: replaceTable(holidayTable),
  projects: writeTable(projectTable),
  listings: writeListings,
  quizFields: writeTable(quizFieldTable),
  knownAgents(context, records) {
    const rows = records.flatMap(({ value }) => value.map((point) => ({ ...point })));
    return writeRows(context, knownAgents, rows);
  },
  competitorDomains(context, records) {
    const rows = records.map(({ value }) => ({ domain: value }));
    return writeRows(context, competitorDomains, rows);
  },
  rules: writeRules,
};

/** Writes a section whose records are the rows of a table. */
function writeTable(table: SectionTable) {
  return (context: ImportContext, records: readonly Indexed<object>[]) =>
    writeRows(context, table, toRows(context, table, records));
}

/** The same, where the section given replaces the former one. */
function replaceTable(table: SectionTable) {
  const write = writeTable(table);
  return (context: ImportContext, records: readonly Indexed<object>[]) =>
    write({ ...context, disableMissing: true }, records);
}

function toRows({ ids }: ImportContext, table: SectionTable, records: readonly Indexed<object>[]) {
  return records.map(({ value }) => toRow(table, value, ids));
}

/** Parents come before their children; paths follow, those of locations under a moved one included. */
async function writeLocations(
  context: ImportContext,
  records: readonly Indexed<RecordOf<'locations'>>[],
): Promise<Counts> {
  const rows = records.map(({ value }) => ({
    ...toRow(locationTable, value, context.ids),
    path: value.name,
    ancestor_ids: [],
  }));
  const counts = await writeRows(context, locationTable, rows);
  if (counts.created + counts.updated > 0) await updatePaths(context.sql);
  return counts;
}

/** "Full ancestry text for telling similar names apart" (Reference records, Location), root first. */
async function updatePaths({ tables, fragment, run }: Sql): Promise<void> {
  const path = fragment<string>`t.path || ' > ' || l.name`;
  const ancestors = fragment<string[]>`t.ancestor_ids || t.id`;
  const query = tables
    .withRecursive('tree', (db) =>
      db
        .selectFrom('locations')
        .select(['id', 'name as path', fragment<string[]>`array[]::uuid[]`.as('ancestor_ids')])
        .where('parent_id', 'is', null)
        .unionAll(
          db
            .selectFrom('tree as t')
            .innerJoin('locations as l', 'l.parent_id', 't.id')
            .select(['l.id', path.as('path'), ancestors.as('ancestor_ids')]),
        ),
    )
    .updateTable('locations as l')
    .from('tree as t')
    .set(({ ref }) => ({
      path: ref('t.path'),
      ancestor_ids: ref('t.ancestor_ids'),
      updated_at: fragment<Date>`now()`,
    }))
    .whereRef('l.id', '=', 't.id')
    .where(fragment<boolean>`(l.path, l.ancestor_ids) is distinct from (t.path, t.ancestor_ids)`);
  await run(query);
}

/** Writes the staged listings a batch at a time. */
async function writeListings(context: ImportContext): Promise<Counts> {
  const counts: Counts[] = [];
  for await (const batch of context.listings.batches()) {
    const rows = batch.map((listing) => listingRow(context, listing));
    const written = await upsert(context.sql, listingTable, rows, context.onWritten);
    if (written.created + written.updated > 0) await compareListings(context, batch);
    counts.push(written);
  }
  return { ...sum(counts), disabled: await removeMissing(context, listingTable, STAGED_IDS_SQL) };
}

function listingRow({ ids }: ImportContext, { id, value }: StagedListing): Row {
  const listing = listingSchema.parse(value);
  const currency = listing.currency === null ? null : findCode(currencies, listing.currency);
  return { ...toRow(listingTable, listing, ids), id, currency };
}

async function compareListings(
  { sql, listingChanges }: ImportContext,
  batch: readonly StagedListing[],
): Promise<void> {
  const ids = batch.map(({ id }) => id);
  const after = await readListings(sql, ids);
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
  const write: WriteSection<Name> = sectionWriters[section];
  return records ? write(context, records, section) : null;
}
