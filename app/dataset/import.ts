import { isRecord } from '../../domain/canonical-json.ts';
import { isFreeMail } from '../../domain/leads/agent-enquiry.ts';
import { doubtfulHours } from '../../domain/routing/working-hours.ts';
import { issueAt, type DatasetIssue } from '../../domain/validation-issues.ts';
import { bumpReferenceVersion } from '../../store/catalogue/reference-version.ts';
import type { Database, Sql } from '../../store/db/database.ts';
import { lockImports } from '../../store/dataset/import-state.ts';
import { readKnownRecords } from '../../store/dataset/known-records.ts';
import { findListings, listingId, readListingKey } from '../../store/dataset/property.ts';
import { nameKey, sectionNames, type SectionName } from '../../store/dataset/record-ids.ts';
import { isActivatedNext } from '../../store/dataset/rules.ts';
import {
  batches,
  isChanged,
  type StoredRecord,
  type WriteContext,
} from '../../store/dataset/section.ts';
import { naturalKey, sectionOf, type Dataset } from '../../store/dataset/sections.ts';
import { RulesActivatedError } from '../../store/routing/rulesets.ts';
import { compareSection, pairRecords, type DatasetChanges } from './changes.ts';
import { checkDataset, parseDataset, type GivenDataset } from './checks.ts';
import {
  findLosses,
  hasLosses,
  readMissing,
  readRouting,
  type ComparedSections,
  type ImportLosses,
  type SectionCounts,
} from './losses.ts';

export interface ImportOptions extends Pick<
  WriteContext,
  'author' | 'companyTimeZone' | 'now' | 'newId' | 'disableMissing'
> {
  companyName: string;
  /** Reports what would change and changes nothing. */
  dryRun?: boolean;
  /** Whether the operator accepts these losses. By default none. */
  accepts?: (losses: ImportLosses) => boolean;
  shownChanges?: number;
  onProgress?: (section: SectionName, written: number, of: number) => void;
  /** Called before the commit: from then on, an import that is interrupted may have been written. */
  onCommit?: () => void;
  /** Called once if another import has to end first. */
  onBusy?: () => void;
}

export interface ImportPlan {
  counts: SectionCounts;
  changes: DatasetChanges;
  losses: ImportLosses;
  /** Likely mistakes, with the agents or the domains that have them. */
  warnings: { message: string; agents?: string[]; domains?: string[] }[];
  rulesets: { before: number | null; after: number | null };
}

export type ImportOutcome =
  | { kind: 'invalid'; issues: DatasetIssue[] }
  /** Nothing was changed: as asked for, or because the losses were not accepted. */
  | ({ kind: 'planned' | 'refused' } & ImportPlan)
  | ({ kind: 'imported' } & ImportPlan);

/** Rolls the import back and carries its outcome out of the transaction. */
class NothingImported extends Error {
  readonly outcome: ImportOutcome;

  constructor(outcome: ImportOutcome) {
    super('Nothing was imported.');
    this.outcome = outcome;
  }
}

/** One transaction: everything or, with any issue, nothing. */
export async function importDataset(
  database: Database,
  given: GivenDataset,
  options: ImportOptions,
): Promise<ImportOutcome> {
  try {
    return await database.transaction((sql) => importWithin(sql, given, options));
  } catch (error) {
    if (error instanceof NothingImported) return error.outcome;
    throw error;
  }
}

async function importWithin(
  sql: Sql,
  given: GivenDataset,
  options: ImportOptions,
): Promise<ImportOutcome> {
  await lockImports(sql, options.onBusy);
  for (const section of givenSections(given)) await sectionOf(section).replaces?.(sql);
  const read = await readDataset(sql, given, options);
  if (read.kind === 'invalid') return read;
  const { dataset } = read;
  const before = await readRouting(sql, dataset);
  const written = await writeSections(sql, read, options);
  const after = await readRouting(sql, dataset);
  const missing = options.disableMissing
    ? await readMissing(sql, { ...read, ...written }, after.rules)
    : [];
  const losses = findLosses(before, after, written.compared, missing);
  const rulesets = { before: before.version, after: after.version };
  if (dataset.rules && !(await isActivatedNext(sql, rulesets))) throw new RulesActivatedError();
  const warnings = [...findDoubtfulHours(dataset), ...findFreeMail(dataset)];
  const { counts, changes } = written;
  const plan = { counts, changes, losses, warnings, rulesets };
  if (options.dryRun) throw new NothingImported({ kind: 'planned', ...plan });
  if (hasLosses(losses) && !options.accepts?.(losses))
    throw new NothingImported({ kind: 'refused', ...plan });
  if (Object.values(counts).some(isChanged)) await bumpReferenceVersion(sql);
  options.onCommit?.();
  return { kind: 'imported', ...plan };
}

type ReadOptions = Pick<ImportOptions, 'companyName' | 'newId'>;

/** Completes the records of a file by the stored ones, and checks all of them. */
export async function readDataset(sql: Sql, given: GivenDataset, options: ReadOptions) {
  const listings = await matchListings(sql, given);
  const stored = new Map<SectionName, RecordsByKey>([['listings', listings.stored]]);
  for (const section of givenSections(given))
    if (section !== 'listings') stored.set(section, await readByKey(sql, section));
  const parsed = parseDataset(given, stored);
  const known = await readKnownRecords(sql, options.companyName);
  const issues = [...parsed.issues, ...listings.issues];
  const checked = checkDataset({ ...parsed, issues }, known, options.newId);
  return checked.kind === 'invalid' ? checked : { ...checked, ...known, stored };
}

type RecordsByKey = ReadonlyMap<string, StoredRecord>;

const givenSections = ({ dataset }: GivenDataset) =>
  sectionNames.filter((name) => isRecord(dataset) && Array.isArray(dataset[name]));

async function readByKey(sql: Sql, section: SectionName, ids?: string[]): Promise<RecordsByKey> {
  const records = await sectionOf(section).read(sql, ids);
  return new Map(records.map((record) => [naturalKey(section, record), record]));
}

/** Finds the stored listings of a file by `id`, else by `referenceNo`. A number of several listings is ambiguous. */
async function matchListings(sql: Sql, { dataset }: GivenDataset) {
  const records: unknown = isRecord(dataset) ? dataset.listings : [];
  const keys = Array.isArray(records) ? records.map(readListingKey) : [];
  const givenIds = new Set(keys.flatMap(({ id }) => id ?? []));
  const numberOf = ({ id, number }: (typeof keys)[number]) =>
    id === undefined && number !== undefined ? nameKey('listings', number) : null;
  const numbers = new Map(keys.map((key) => [numberOf(key), key.number ?? '']));
  numbers.delete(null);
  const found = numbers.size > 0 ? await findListings(sql, [...numbers.values()]) : [];
  const matching = found.filter(({ id }) => !givenIds.has(id));
  const byNumber = Map.groupBy(matching, ({ number }) => nameKey('listings', number));
  const stored = new Map<string, StoredRecord>();
  for (const batch of batches([...givenIds, ...matching.map(({ id }) => id)]))
    for (const [id, record] of await readByKey(sql, 'listings', batch)) stored.set(id, record);
  for (const { number, id } of matching) {
    const record = stored.get(id);
    if (record !== undefined) stored.set(nameKey('listings', number), record);
  }
  const issues = keys.flatMap((key, index) => {
    const isAmbiguous = (byNumber.get(numberOf(key) ?? '')?.length ?? 0) > 1;
    const message = 'is that of several listings: give the id';
    return isAmbiguous ? [issueAt(['listings', index, 'referenceNo'], message)] : [];
  });
  return { stored, issues };
}

type ReadDataset = Extract<Awaited<ReturnType<typeof readDataset>>, { kind: 'valid' }>;

const SHOWN_CHANGES = 20;

/** Writes every section of the file, in the order in which records refer to each other, and compares it. */
async function writeSections(sql: Sql, read: ReadDataset, options: ImportOptions) {
  const { dataset } = read;
  const counts: SectionCounts = {};
  const compared: ComparedSections = {};
  const changes: DatasetChanges = {};
  for (const section of sectionNames) {
    const records = dataset[section];
    if (!records) continue;
    let done = 0;
    const onWritten = (written: number) => {
      done += written;
      options.onProgress?.(section, done, records.length);
    };
    const context = { ...options, ...read, sql, onWritten };
    const values = records.map(({ value }) => value);
    const written = await sectionOf(section).write(context, values);
    counts[section] = written;
    if (!isChanged(written)) continue;
    const pairs = pairWritten(sql, section, read);
    const comparison = await compareSection(section, pairs, options.shownChanges ?? SHOWN_CHANGES);
    compared[section] = comparison;
    if (comparison.changes.total > 0) changes[section] = comparison.changes;
  }
  return { counts, compared, changes };
}

async function* pairWritten(sql: Sql, section: SectionName, read: ReadDataset) {
  const before: RecordsByKey = read.stored.get(section) ?? new Map<string, StoredRecord>();
  if (section !== 'listings')
    return yield* pairRecords(section, before, await sectionOf(section).read(sql));
  const ids = read.dataset.listings?.map(({ value }) => listingId(value, read.ids)) ?? [];
  for (const batch of batches(ids))
    for (const [id, record] of await readByKey(sql, section, batch))
      yield [before.get(id), record] as const;
}

/** Nights on several days are most likely a mistake in usual hours, and the purpose of dated ones. */
function findDoubtfulHours({ agents = [], datedHours = [] }: Dataset): ImportPlan['warnings'] {
  const all = [
    ...agents.map(({ value }) => ({ ...value, agent: value.email, fewestNights: 2 })),
    ...datedHours.map(({ value }) => ({ ...value, fewestNights: Infinity })),
  ];
  const found = all.flatMap(({ agent, workingHours, fewestNights }) =>
    doubtfulHours(workingHours, fewestNights).map((message) => ({ message, agent })),
  );
  return [...Map.groupBy(found, ({ message }) => message)].map(([message, each]) => ({
    message,
    agents: each.map(({ agent }) => agent),
  }));
}

function findFreeMail({ competitorDomains = [] }: Dataset): ImportPlan['warnings'] {
  const domains = competitorDomains.map(({ value }) => value).filter(isFreeMail);
  return domains.length > 0 ? [{ message: 'Customers use these email domains too', domains }] : [];
}
