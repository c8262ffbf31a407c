import { checkDataset } from '../../domain/dataset/check-dataset.ts';
import { allLanguages } from '../../domain/dataset/rule-names.ts';
import type { Fault } from '../../domain/dataset/fault.ts';
import { parseDataset } from '../../domain/dataset/parse-dataset.ts';
import type { ParsedDataset } from '../../domain/dataset/parse-dataset.ts';
import type { SectionName } from '../../domain/dataset/sections.ts';
import type { Database, Sql } from '../database.ts';
import { readKnownRecords } from './read-known.ts';
import { matchListings } from './sections/listings.ts';
import { tidyTables } from './tidy-tables.ts';
import { writeSections } from './write-sections.ts';
import type { SectionCounts } from './write-sections.ts';

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

/**
 * Reads a dataset into the database in one transaction: all of it, or, with any fault, nothing. Imports
 * wait for each other; readers see the lists before it or after it.
 */
export async function importDataset(
  database: Database,
  json: unknown,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const parsed = parseDataset(json);
  const outcome = await importParsed(database, parsed, options);
  if (outcome.kind === 'imported') await tidyTables(database, outcome.counts);
  return outcome;
}

function importParsed(
  database: Database,
  parsed: ParsedDataset,
  options: ImportOptions,
): Promise<ImportOutcome> {
  return database.transaction(async (sql) => {
    await sql.query(`select pg_advisory_xact_lock(hashtext('leadctl import'))`);
    const known = await readKnownRecords(sql, options.companyName);
    const checked = checkDataset(parsed, known, options.newId);
    const listings = await matchListings(sql, parsed.dataset.listings ?? []);
    const faults = [...(checked.kind === 'faulty' ? checked.faults : []), ...listings.faults];
    if (checked.kind === 'faulty' || faults.length > 0) return { kind: 'faulty', faults };
    const { dataset, ids, rules } = checked;
    const languages = allLanguages(dataset, known);
    const counts = await writeSections(dataset, listings.matched, (section) => ({
      ...{ sql, ids, languages, rules },
      ...{ newId: options.newId, now: options.now, author: options.author },
      disableMissing: options.disableMissing ?? false,
      onWritten: progressOf(section, dataset[section]?.length ?? 0, options),
    }));
    if (hasChanges(counts)) await bumpReferenceVersion(sql);
    return { kind: 'imported', counts };
  });
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
