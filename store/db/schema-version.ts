import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ConfigurationError } from '../../platform/config.ts';
import type { Probe } from '../../platform/operations-server.ts';
import { isReadOnly, retryAtStart, type Database } from './database.ts';

/** A row of the table in which the migrator keeps what it ran. */
export interface Executed {
  name: string;
  /** The same for all that one `npm run migrate` ran, since it runs them in one transaction. */
  executed_at: Date;
}

export type SchemaVersion =
  | { kind: 'current' }
  | { kind: 'behind' }
  /** Migrated once by a later release: processes of this one run on beside those of that one. */
  | { kind: 'nextRelease'; last: string }
  | { kind: 'tooNew'; last: string }
  | { kind: 'tooOld'; last: string };

const MIGRATED_EVERY_MS = 1000;

/** The last of the migrations that the baseline replaced: a database that ran it has the baseline's schema. */
const LAST_REPLACED = '0034-undone-hand-overs';

/**
 * How the migrations that a database has compare with those of this code, `known`, in the order in which they run, from
 * the baseline on.
 */
export function compareSchema(
  executed: readonly Executed[],
  known: readonly string[],
): SchemaVersion {
  const [baseline = ''] = known;
  const replaced = executed.filter(({ name }) => name < baseline);
  if (replaced.length > 0 && !replaced.some(({ name }) => name === LAST_REPLACED))
    return { kind: 'tooOld', last: lastName(replaced) };
  const foreign = executed.filter(({ name }) => name >= baseline && !known.includes(name));
  const own = executed.filter(({ name }) => known.includes(name));
  if (foreign.length === 0) return { kind: own.length < known.length ? 'behind' : 'current' };
  const last = lastName(foreign);
  const runs = new Set(foreign.map(({ executed_at }) => executed_at.getTime()));
  const wasOurs =
    own.length === known.length && own.every(({ executed_at }) => !runs.has(executed_at.getTime()));
  return { kind: runs.size === 1 && wasOurs ? 'nextRelease' : 'tooNew', last };
}

function lastName(executed: readonly Executed[]): string {
  const names = executed.map(({ name }) => name).toSorted();
  return names.at(-1) ?? '';
}

/** Why this code must not use the database, and what helps; null where it may. */
function schemaRefusal(version: SchemaVersion, known: readonly string[]): string | null {
  const own = `this release reads those up to ${known.at(-1)}`;
  if (version.kind === 'tooNew' || version.kind === 'nextRelease')
    return (
      `A newer release wrote this database (its last migration is ${version.last}; ${own}): ` +
      'start that release again, or restore a backup from before it (with npm start: another DATA_DIR).'
    );
  if (version.kind === 'tooOld')
    return (
      `This database was migrated up to ${version.last}; ${own}, from ${known[0]} on. ` +
      `Run npm run migrate of a version that has ${LAST_REPLACED} first, then this one.`
    );
  return null;
}

/** The migrations of this code, by the names of their files: to load them would load the ORM with them. */
export const knownMigrations = readdirSync(new URL('../migrations', import.meta.url))
  .filter((file) => /^\d.*\.ts$/.test(file))
  .map((file) => path.basename(file, '.ts'))
  .toSorted();

function readExecuted({ tables, run }: Database): Promise<Executed[]> {
  const migrations = tables.withTables<{ mikro_orm_migrations: Executed }>();
  return run(migrations.selectFrom('mikro_orm_migrations').select(['name', 'executed_at']));
}

/** Throws where this code must not use the database; `isAlone`: no process of a next release runs beside it. */
export function assertUsable(
  executed: readonly Executed[],
  { isAlone = false } = {},
): SchemaVersion {
  const version = compareSchema(executed, knownMigrations);
  const refusal = schemaRefusal(version, knownMigrations);
  if (refusal !== null && (isAlone || version.kind !== 'nextRelease'))
    throw new ConfigurationError(refusal);
  return version;
}

/** Throws where API and worker of this release must not use the database; returns what an operator should know of it. */
export async function checkSchema(database: Database): Promise<string | null> {
  const version = assertUsable(await readExecuted(database));
  if (version.kind !== 'nextRelease') return null;
  return `The next release has migrated the database, to ${version.last}: replace this one soon.`;
}

/** Resolves once no migration of this code is missing; until then its statements may name what the database lacks. */
export async function untilMigrated(database: Database, onWait: () => void): Promise<void> {
  const isMigrated = () => retryAtStart(() => hasAllMigrations(database));
  for (let isFirst = true; !(await isMigrated()); isFirst = false) {
    if (isFirst) onWait();
    await setTimeout(MIGRATED_EVERY_MS);
  }
}

const hasAllMigrations = async (database: Database) =>
  assertUsable(await readExecuted(database)).kind !== 'behind';

/** Whether the database is reachable and takes writes, and has every migration of this code and at most those of the next release. */
export function databaseProbes(database: Database): Record<'database' | 'migrations', Probe> {
  return {
    database: async () => !(await isReadOnly(database)),
    migrations: () => hasAllMigrations(database),
  };
}
