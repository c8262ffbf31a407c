import { checkDataset } from '../../../domain/catalogue/dataset/check-dataset.ts';
import type {
  DatasetEvents,
  Indexed,
  RecordOf,
  SectionName,
} from '../../../domain/catalogue/dataset/sections.ts';
import type { DatasetIssue } from '../../../domain/validation-issues.ts';
import {
  createDatasetParser,
  type ParsedDataset,
} from '../../../domain/catalogue/dataset/parse-dataset.ts';
import type { RecordIds } from '../../../domain/catalogue/dataset/record-ids.ts';
import {
  findUnknownCodes,
  findUnknownReferences,
} from '../../../domain/catalogue/dataset/references.ts';
import { allLanguages } from '../../../domain/catalogue/dataset/rule-values.ts';
import type { Database, Sql } from '../../db/database.ts';
import { bumpReferenceVersion } from '../load-reference.ts';
import { readKnownRecords } from './read-known-records.ts';
import { stageListings, type StagedListings } from './staged-listings.ts';
import type { ImportContext, ImportOptions } from './write-rows.ts';
import { writeSections, type SectionCounts } from './write-sections.ts';

export type ImportOutcome =
  { kind: 'invalid'; issues: DatasetIssue[] } | { kind: 'imported'; counts: SectionCounts };

/**
 * Reads a dataset into the database in one transaction: all of it, or, with any issue, nothing. Imports
 * run one after another; readers see the lists before it or after it.
 */
export async function importDataset(
  database: Database,
  events: DatasetEvents,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const outcome = await database.transaction((sql) => importWithin(sql, events, options));
  if (outcome.kind === 'imported') await vacuumTables(database, outcome.counts);
  return outcome;
}

async function importWithin(
  sql: Sql,
  events: DatasetEvents,
  options: ImportOptions,
): Promise<ImportOutcome> {
  await sql.query(`select pg_advisory_xact_lock(hashtext('leadctl import'))`);
  const listings = await stageListings(sql);
  const parsed = await parseEvents(events, listings);
  const known = await readKnownRecords(sql, options.companyName);
  const checked = checkDataset(parsed, known, options.newId);
  const languages = allLanguages(parsed.dataset, known);
  const issues = [
    ...(checked.kind === 'invalid' ? checked.issues : []),
    ...(await listings.match()),
    ...(await findListingIssues(listings, parsed, checked.ids, languages)),
  ];
  if (checked.kind === 'invalid' || issues.length > 0) return { kind: 'invalid', issues };
  const { dataset, ids, rules } = checked;
  const totalOf = (section: SectionName) =>
    section === 'listings' ? listings.count : (dataset[section]?.length ?? 0);
  const counts = await writeSections(dataset, (section) => ({
    ...options,
    sql,
    ids,
    languages,
    rules,
    listings,
    agentSlugs: known.agentSlugs,
    onWritten: createProgress(section, totalOf(section), options),
  }));
  if (hasChanges(counts)) await bumpReferenceVersion(sql);
  return { kind: 'imported', counts };
}

/** Keeps all records but the listings in memory, since a record may come before one that it names. */
async function parseEvents(
  events: DatasetEvents,
  listings: StagedListings,
): Promise<ParsedDataset> {
  const parser = createDatasetParser();
  for await (const event of events) {
    const valid = parser.read(event);
    if (valid?.section === 'listings')
      await listings.add(valid.record as Indexed<RecordOf<'listings'>>);
    else if (valid) parser.keep(valid);
  }
  return parser.parsed();
}

/** Unknown names in the staged listings, read a batch at a time. */
async function findListingIssues(
  listings: StagedListings,
  { invalidKeys }: ParsedDataset,
  ids: RecordIds,
  languages: ImportContext['languages'],
): Promise<DatasetIssue[]> {
  const issues: DatasetIssue[] = [];
  for await (const batch of listings.batches()) {
    const parsed = { dataset: { listings: batch }, issues: [], invalid: {}, invalidKeys };
    issues.push(...findUnknownReferences(parsed, ids), ...findUnknownCodes(parsed, languages));
  }
  return issues;
}

function createProgress(section: SectionName, total: number, { onProgress }: ImportOptions) {
  let written = 0;
  return (rows: number) => {
    written += rows;
    onProgress?.(section, written, total);
  };
}

function hasChanges(counts: SectionCounts): boolean {
  return Object.values(counts).some(
    ({ created, updated, disabled }) => created + updated + disabled > 0,
  );
}

const MIN_ROWS_TO_VACUUM = 1000;
const SEARCHED_TABLES = ['locations', 'developers', 'projects', 'listings'] as const;

/**
 * After many written rows, searches would be planned by outdated statistics and read the tables behind
 * the indexes until autovacuum runs.
 */
async function vacuumTables(database: Database, counts: SectionCounts): Promise<void> {
  for (const table of SEARCHED_TABLES) {
    const { created = 0, updated = 0 } = counts[table] ?? {};
    if (created + updated >= MIN_ROWS_TO_VACUUM) await database.query(`vacuum (analyze) ${table}`);
  }
}
