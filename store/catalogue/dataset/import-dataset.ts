import {
  checkDataset,
  findUnknownCodes,
  findUnknownReferences,
} from '../../../domain/catalogue/dataset/check-dataset.ts';
import {
  createDatasetParser,
  parseListings,
} from '../../../domain/catalogue/dataset/parse-dataset.ts';
import {
  createSectionChanges,
  storedKey,
  type DatasetChanges,
} from '../../../domain/catalogue/dataset/record-changes.ts';
import {
  sectionNames,
  type Dataset,
  type DatasetEvents,
} from '../../../domain/catalogue/dataset/sections.ts';
import { isFreeMail } from '../../../domain/leads/agent-enquiry.ts';
import { doubtfulHours } from '../../../domain/routing/working-hours.ts';
import type { DatasetIssue } from '../../../domain/validation-issues.ts';
import { errorCode } from '../../../platform/errors.ts';
import type { Database, Sql } from '../../db/database.ts';
import { statement, type NoParams } from '../../db/statement.ts';
import { RulesActivatedError } from '../../routing/rulesets.ts';
import { bumpReferenceVersion } from '../reference-version.ts';
import type { ImportContext, ImportOptions } from './import-context.ts';
import {
  countMembers,
  readDisabledSubSources,
  findLosses,
  hasLosses,
  readMissing,
  type ComparedSections,
  type ImportLosses,
} from './import-losses.ts';
import { stageListings, type StagedListings } from './listings.ts';
import { isActivatedNext, readActiveRuleset } from './rules.ts';
import { lockReplaced } from './section-tables.ts';
import {
  completeRecords,
  createStoredSections,
  readKnownRecords,
  readRecords,
  type StoredSections,
} from './stored-records.ts';
import { noCounts, type SectionCounts } from './upsert.ts';
import { writeSections } from './write-sections.ts';

export interface ImportPlan {
  counts: SectionCounts;
  changes: DatasetChanges;
  losses: ImportLosses;
  /** What is likely a mistake, with the agents or the domains that have it. */
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

/** One transaction: all or, with any issue, nothing. Imports run one after another. */
export async function importDataset(
  database: Database,
  events: DatasetEvents,
  options: ImportOptions,
): Promise<ImportOutcome> {
  try {
    return await database.transaction((sql) => importWithin(sql, events, options));
  } catch (error) {
    if (error instanceof NothingImported) return error.outcome;
    throw error;
  }
}

async function importWithin(
  sql: Sql,
  events: DatasetEvents,
  options: ImportOptions,
): Promise<ImportOutcome> {
  await awaitTurn(sql, options.onBusy);
  const listings = await stageListings(sql);
  const stored = createStoredSections(sql);
  const parsed = await parseEvents(sql, completeRecords(events, stored), listings);
  const known = await readKnownRecords(sql, options.companyName);
  const checked = checkDataset(parsed, known, options.newId);
  const issues = [
    ...(checked.kind === 'invalid' ? checked.issues : []),
    ...(await listings.match()),
    ...(await findListingIssues(listings, checked)),
  ];
  if (checked.kind === 'invalid' || issues.length > 0) return { kind: 'invalid', issues };
  const { dataset, ids } = checked;
  for (const section of sectionNames)
    if (dataset[section] && section !== 'listings') await stored(section);
  const before = await readRouting(sql, dataset);
  const { shownChanges = SHOWN_CHANGES } = options;
  const listingChanges = createSectionChanges('listings', shownChanges);
  const { agentSlugs } = known;
  const context = { ...options, ...checked, sql, listings, listingChanges, agentSlugs };
  const counts = await writeSections(dataset, context);
  const compared = await compareSections(sql, counts, stored, shownChanges);
  const comparisons = Object.entries({ ...compared, listings: listingChanges });
  const changes: DatasetChanges = Object.fromEntries(
    comparisons
      .filter(([, each]) => each.changes.total > 0)
      .map(([section, each]) => [section, each.changes]),
  );
  const after = await readRouting(sql, dataset);
  const missing = options.disableMissing
    ? await readMissing(sql, { dataset, counts, compared, ids }, after.rules)
    : [];
  const losses = findLosses(before, after, compared, missing);
  const rulesets = { before: before.version, after: after.version };
  if (dataset.rules && !(await isActivatedNext(sql, rulesets))) throw new RulesActivatedError();
  const warnings = [...findDoubtfulHours(dataset), ...findFreeMail(dataset)];
  const plan = { counts, changes, losses, warnings, rulesets };
  if (options.dryRun) throw new NothingImported({ kind: 'planned', ...plan });
  if (hasLosses(losses) && !options.accepts?.(losses))
    throw new NothingImported({ kind: 'refused', ...plan });
  if (Object.values(counts).some(isChanged)) await bumpReferenceVersion(sql);
  options.onCommit?.();
  return { kind: 'imported', ...plan };
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

/** Another import holds the lock for longer than a statement may take. */
export class ImportBusyError extends Error {
  override name = 'ImportBusyError';
}

const QUERY_CANCELED = '57014';

async function awaitTurn(sql: Sql, onBusy?: () => void): Promise<void> {
  if ((await sql.first(TRY_TURN, {}))?.isFree) return;
  onBusy?.();
  await sql.all(AWAIT_TURN, {}).catch((error: unknown) => {
    if (errorCode(error) !== QUERY_CANCELED) throw error;
    throw new ImportBusyError('Another import is running.', { cause: error });
  });
}

const TURN = `hashtext('leadctl import')`;

const TRY_TURN = statement<NoParams, { isFree: boolean }>('try_turn')`
select pg_try_advisory_xact_lock(${TURN}) as "isFree"`;

const AWAIT_TURN = statement('await_turn')`select from pg_advisory_xact_lock(${TURN})`;

const SHOWN_CHANGES = 20;

async function readRouting(sql: Sql, dataset: Dataset) {
  const active = await readActiveRuleset(sql);
  const rules = active?.rules ?? [];
  const concernsSubSources = dataset.sources !== undefined || dataset.rules !== undefined;
  return {
    version: active?.version ?? null,
    rules,
    members: await countMembers(sql, rules),
    disabledSubSources: concernsSubSources ? await readDisabledSubSources(sql, rules) : [],
  };
}

/** The changed records of the sections that were written, but the listings. */
async function compareSections(
  sql: Sql,
  counts: SectionCounts,
  stored: StoredSections,
  limit: number,
) {
  const compared: ComparedSections = {};
  for (const section of sectionNames) {
    if (section === 'listings' || !isChanged(counts[section])) continue;
    const comparison = createSectionChanges(section, limit);
    const before = new Map(await stored(section));
    for await (const records of readRecords(sql, section))
      for (const record of records) {
        const key = storedKey(section, record);
        comparison.compare(before.get(key), record);
        before.delete(key);
      }
    for (const record of before.values()) comparison.compare(record, undefined);
    compared[section] = comparison;
  }
  return compared;
}

/** Keeps all records but the listings in memory, since a record may come before one that it names. */
async function parseEvents(sql: Sql, events: DatasetEvents, listings: StagedListings) {
  const parser = createDatasetParser();
  for await (const event of events) {
    if (event.kind === 'section') await lockReplaced(sql, event.name);
    const isListing = event.kind === 'record' && event.section === 'listings';
    if (isListing && (await listings.add(event))) continue;
    parser.read(event);
  }
  return parser.parsed();
}

async function findListingIssues(
  listings: StagedListings,
  { ids, languages }: Pick<ImportContext, 'ids' | 'languages'>,
) {
  const issues: DatasetIssue[] = [];
  for await (const batch of listings.batches()) {
    const parsed = parseListings(batch);
    issues.push(...parsed.issues);
    issues.push(...findUnknownReferences(parsed, ids), ...findUnknownCodes(parsed, languages));
  }
  return issues;
}

function isChanged({ created, updated, disabled } = noCounts): boolean {
  return created + updated + disabled > 0;
}
