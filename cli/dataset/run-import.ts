import { randomUUID } from 'node:crypto';
import type { GivenDataset } from '../../app/dataset/checks.ts';
import type { ImportOptions } from '../../app/dataset/import.ts';
import type { SectionCounts } from '../../app/dataset/losses.ts';
import { OperatorError, type Operator } from '../operator.ts';

export async function runImport(
  operator: Operator,
  given: GivenDataset,
  options: Partial<ImportOptions>,
) {
  const { importDataset } = await import('../../app/dataset/import.ts');
  const { ImportBusyError } = await import('../../store/dataset/import-state.ts');
  const { RulesActivatedError } = await import('../../store/routing/rulesets.ts');
  const { companyName, companyTimeZone } = operator.config;
  try {
    const outcome = await importDataset(await operator.database(), given, {
      author: operator.author,
      companyName,
      companyTimeZone,
      now: operator.now(),
      newId: randomUUID,
      onBusy: () => operator.note('Another import is running: this one waits until it is over.'),
      ...options,
    });
    if (outcome.kind === 'imported') await vacuumSearched(operator, outcome.counts);
    return outcome;
  } catch (error) {
    if (error instanceof RulesActivatedError)
      throw new OperatorError(
        'Other rules were activated while this import ran, so nothing was changed. Run it again.',
      );
    if (!(error instanceof ImportBusyError)) throw error;
    throw new OperatorError(
      'Another import has been running for two minutes, so nothing was changed. Try again when it is over; with --no-timeout a command waits for it.',
    );
  }
}

const MIN_ROWS_TO_VACUUM = 1000;
const SEARCHED_TABLES = ['locations', 'developers', 'projects', 'listings'] as const;

/** After many written rows, outdated statistics would slow down searches until autovacuum runs. */
async function vacuumSearched(operator: Operator, counts: SectionCounts): Promise<void> {
  const tables = SEARCHED_TABLES.filter((table) => {
    const { created = 0, updated = 0 } = counts[table] ?? {};
    return created + updated >= MIN_ROWS_TO_VACUUM;
  });
  if (tables.length === 0) return;
  const { vacuumAsOwner } = await import('../../store/db/roles.ts');
  await vacuumAsOwner(operator.ownerDatabaseUrl, tables).catch(() => false);
}
