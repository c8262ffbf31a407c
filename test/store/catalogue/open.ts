import { randomUUID } from 'node:crypto';
import { connectDatabase, type Database } from '../../../store/db/database.ts';
import { importDataset, type ImportOptions } from '../../../app/dataset/import.ts';
import type { SectionCounts } from '../../../app/dataset/losses.ts';
import { createTestDatabase } from '../../support/database.ts';

export interface OpenDatabase {
  database: Database;
  url: string;
  close(): Promise<void>;
}

/** `adminUrl`: to plant or tune what the service itself has no right to. */
export async function openDatabase(by: 'url' | 'adminUrl' = 'url'): Promise<OpenDatabase> {
  const { [by]: url, drop } = await createTestDatabase();
  const database = await connectDatabase({ url, poolSize: 4, connectTimeoutMs: 60_000 });
  return {
    database,
    url,
    async close() {
      await database.close();
      await drop();
    },
  };
}

export function options(over: Partial<ImportOptions> = {}): ImportOptions {
  return {
    author: 'tests',
    companyName: 'Acme',
    companyTimeZone: 'Asia/Dubai',
    now: new Date('2026-03-02T10:00:00Z'),
    newId: randomUUID,
    accepts: () => true,
    ...over,
  };
}

/** Imports what is expected to be sound. */
export async function imported(
  database: Database,
  dataset: unknown,
  over: Partial<ImportOptions> = {},
): Promise<SectionCounts> {
  const outcome = await importDataset(database, { dataset }, options(over));
  if (outcome.kind === 'imported') return outcome.counts;
  throw new Error(JSON.stringify(outcome));
}
