import { randomUUID } from 'node:crypto';
import type { DatasetEvents } from '../../domain/catalogue/dataset/sections.ts';
import type { ImportOptions } from '../../store/catalogue/dataset/import-context.ts';
import { OperatorError, type Operator } from '../operator.ts';

type OwnOptions = 'author' | 'companyName' | 'companyTimeZone' | 'now' | 'newId' | 'onBusy';

/** Imports as this operator. What takes long to load is loaded here. */
export async function runImport(
  operator: Operator,
  events: DatasetEvents,
  options: Omit<ImportOptions, OwnOptions> = {},
) {
  const { importDataset, ImportBusyError } =
    await import('../../store/catalogue/dataset/import-dataset.ts');
  const { companyName, companyTimeZone } = operator.config;
  try {
    return await importDataset(await operator.database(), events, {
      author: operator.author,
      companyName,
      companyTimeZone,
      now: operator.now(),
      newId: randomUUID,
      onBusy: () => operator.note('Another import is running: this one waits until it is over.'),
      ...options,
    });
  } catch (error) {
    if (!(error instanceof ImportBusyError)) throw error;
    throw new OperatorError(
      'Another import has been running for two minutes, so nothing was changed. Try again when it is over; with --no-timeout a command waits for it.',
    );
  }
}
