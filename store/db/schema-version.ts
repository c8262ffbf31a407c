import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ConfigurationError } from '../../platform/config.ts';
import type { Probe } from '../../platform/operations-server.ts';
import { isReadOnly, retryAtStart, type Database } from './database.ts';
import { statement, type NoParams } from './statement.ts';

const MIGRATED_EVERY_MS = 1000;

/** The migrations of this code, by the names of their files: to load them would load the ORM with them. */
export const knownMigrations = readdirSync(new URL('../migrations', import.meta.url))
  .filter((file) => /^\d.*\.ts$/.test(file))
  .map((file) => path.basename(file, '.ts'))
  .toSorted();

async function readExecuted(database: Database): Promise<string[]> {
  return (await database.all(READ_MIGRATIONS, {})).map(({ name }) => name);
}

const READ_MIGRATIONS = statement<NoParams, { name: string }>('read_migrations')`
select name from mikro_orm_migrations`;

/** Throws if another version migrated the database. `executed` are the names of the migrations that ran. */
export function assertOwnSchema(executed: readonly string[]): void {
  const foreign = executed.filter((name) => !knownMigrations.includes(name)).toSorted();
  if (foreign.length === 0) return;
  throw new ConfigurationError(
    `Another version migrated this database, to ${foreign.at(-1)}, and this version migrates to ` +
      `${knownMigrations.at(-1)}: run that version, or restore a backup (with npm start: use another DATA_DIR).`,
  );
}

export async function checkSchema(database: Database): Promise<void> {
  assertOwnSchema(await readExecuted(database));
}

/** Resolves once no migration of this code is missing; until then its statements may name what the database lacks. */
export async function untilMigrated(database: Database, onWait: () => void): Promise<void> {
  const isMigrated = () => retryAtStart(() => hasAllMigrations(database));
  for (let isFirst = true; !(await isMigrated()); isFirst = false) {
    if (isFirst) onWait();
    await setTimeout(MIGRATED_EVERY_MS);
  }
}

/** True if a later version has migrated the database meanwhile, so that a running process serves until it is replaced. */
async function hasAllMigrations(database: Database): Promise<boolean> {
  const executed = await readExecuted(database);
  return knownMigrations.every((name) => executed.includes(name));
}

export function databaseProbes(database: Database): Record<'database' | 'migrations', Probe> {
  return {
    database: async () => !(await isReadOnly(database)),
    migrations: () => hasAllMigrations(database),
  };
}
