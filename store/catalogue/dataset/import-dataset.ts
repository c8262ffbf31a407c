import { standardFaults } from '../../../domain/catalogue/dataset/codes.ts';
import { checkDataset } from '../../../domain/catalogue/dataset/check-dataset.ts';
import { allLanguages } from '../../../domain/catalogue/dataset/rule-names.ts';
import type { Fault } from '../../../domain/catalogue/dataset/dataset-error.ts';
import { createDatasetParser } from '../../../domain/catalogue/dataset/parse-dataset.ts';
import type { ParsedDataset } from '../../../domain/catalogue/dataset/parse-dataset.ts';
import { partsOf } from '../../../domain/catalogue/dataset/parts.ts';
import type { DatasetParts } from '../../../domain/catalogue/dataset/parts.ts';
import type { RecordIds } from '../../../domain/catalogue/dataset/record-ids.ts';
import { referenceFaults } from '../../../domain/catalogue/dataset/references.ts';
import type { Indexed, RecordOf, SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { Database, Sql } from '../../db/database.ts';
import { readKnownRecords } from './read-known.ts';
import { stageListings } from './staged-listings.ts';
import type { StagedListings } from './staged-listings.ts';
import { tidyTables } from './tidy-tables.ts';
import { writeSections } from './write-sections.ts';
import type { SectionCounts } from './write-sections.ts';

type Listing = RecordOf<'listings'>;

export interface ImportOptions {
  /** Kept with a new version of the routing rules. */
  author: string;
  companyName: string;
  now: Date;
  newId: () => string;
  disableMissing?: boolean;
  onProgress?: (section: SectionName, written: number, of: number) => void;
}

export type ImportOutcome =
  { kind: 'faulty'; faults: Fault[] } | { kind: 'imported'; counts: SectionCounts };

/** A dataset that is in memory anyway. */
export function importDataset(
  database: Database,
  json: unknown,
  options: ImportOptions,
): Promise<ImportOutcome> {
  return importParts(database, partsOf(json), options);
}

/**
 * Reads a dataset into the database in one transaction: all of it, or, with any fault, nothing. Imports
 * wait for each other; readers see the lists before it or after it.
 */
export async function importParts(
  database: Database,
  parts: DatasetParts,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const outcome = await database.transaction((sql) => importWithin(sql, parts, options));
  if (outcome.kind === 'imported') await tidyTables(database, outcome.counts);
  return outcome;
}

async function importWithin(
  sql: Sql,
  parts: DatasetParts,
  options: ImportOptions,
): Promise<ImportOutcome> {
  await sql.query(`select pg_advisory_xact_lock(hashtext('leadctl import'))`);
  const listings = await stageListings(sql);
  const parsed = await readParts(parts, listings);
  const known = await readKnownRecords(sql, options.companyName);
  const checked = checkDataset(parsed, known, options.newId);
  const faults = [
    ...(checked.kind === 'faulty' ? checked.faults : []),
    ...(await listings.match()),
    ...(await listingFaults(listings, parsed, checked.ids)),
  ];
  if (checked.kind === 'faulty' || faults.length > 0) return { kind: 'faulty', faults };
  const { dataset, ids, rules } = checked;
  const languages = allLanguages(dataset, known);
  const totalOf = (section: SectionName) =>
    section === 'listings' ? listings.count : (dataset[section]?.length ?? 0);
  const counts = await writeSections(dataset, listings, (section) => ({
    ...{ sql, ids, languages, rules, agentSlugs: known.agentSlugs },
    ...{ newId: options.newId, now: options.now, author: options.author },
    disableMissing: options.disableMissing ?? false,
    onWritten: progressOf(section, totalOf(section), options),
  }));
  if (hasChanges(counts)) await bumpReferenceVersion(sql);
  return { kind: 'imported', counts };
}

/** All but the listings is kept in memory, for records may come before those that they name. */
async function readParts(parts: DatasetParts, listings: StagedListings): Promise<ParsedDataset> {
  const parser = createDatasetParser();
  for await (const part of parts) {
    const sound = parser.read(part);
    if (sound?.section === 'listings') await listings.add(sound.record as Indexed<Listing>);
    else if (sound) parser.keep(sound);
  }
  return parser.parsed();
}

/** What they name is looked up a batch at a time. */
async function listingFaults(
  listings: StagedListings,
  { broken }: ParsedDataset,
  ids: RecordIds,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for await (const batch of listings.batches()) {
    const parsed = { dataset: { listings: batch }, faults: [], faulty: {}, broken };
    faults.push(...referenceFaults(parsed, ids), ...standardFaults(parsed));
  }
  return faults;
}

function progressOf(section: SectionName, total: number, { onProgress }: ImportOptions) {
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

/** The last statement: every create reads this row, and none should wait for it. */
async function bumpReferenceVersion(sql: Sql): Promise<void> {
  await sql.query(`update reference_state set version = version + 1`);
}
