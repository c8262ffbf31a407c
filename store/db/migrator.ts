import type { MikroORM } from '@mikro-orm/postgresql';
import { ConfigurationError } from '../../platform/config.ts';
import type { Probe } from '../../platform/operations-server.ts';
import { migrations } from '../migrations/index.ts';
import type { Database } from './database.ts';
import { connectOrm } from './orm.ts';
import {
  compareSchema,
  schemaRefusal,
  type Executed,
  type SchemaVersion,
} from './schema-version.ts';
import { clientFor, prepareRoles } from './roles.ts';

/** A change of a table waits no longer for its readers, since all later statements queue behind it. */
const LOCK_TIMEOUT_MS = 5000;

/**
 * Brings the database up to date and checks that it can do what the searches need. `adminUrl` is of who may
 * make roles or owns the schema; the user of `url` then reads and writes its rows, and no more. Of several
 * at once the others wait and find nothing to do. Refuses a database of a newer release, save, unless `isAlone`, of the
 * next one: then processes of both run beside each other. Returns the names of the migrations that it ran.
 */
export async function migrate(
  url: string,
  adminUrl = url,
  { isAlone = false } = {},
): Promise<string[]> {
  const admin = clientFor(adminUrl);
  await admin.connect();
  try {
    // The lock is that of a connection, so that it goes with a process that dies.
    await admin.query(`select pg_advisory_lock(hashtext('lead-intake migrate'))`);
    await admin.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const owner = await prepareRoles(admin, url);
    const names = await runMigrations(adminUrl, owner, isAlone);
    await prepareRoles(admin, url); // for what is new
    return names;
  } finally {
    await admin.end();
  }
}

async function runMigrations(url: string, role: string, isAlone: boolean): Promise<string[]> {
  const orm = await connectOrm({ url, role, poolSize: 3, lockTimeoutMs: LOCK_TIMEOUT_MS });
  try {
    assertUsable(await orm.migrator.getExecuted(), { isAlone });
    const ran = await orm.migrator.up();
    await assertTrigramsOfArabic(orm);
    return ran.map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}

const known = migrations.map(({ name }) => name);

const readExecuted = (database: Database) =>
  database.query<Executed>('select name, executed_at from mikro_orm_migrations');

function assertUsable(executed: readonly Executed[], { isAlone = false } = {}): SchemaVersion {
  const version = compareSchema(executed, known);
  const refusal = schemaRefusal(version, known);
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

/** Whether the database is reachable, and has every migration of this code and at most those of the next release. */
export function databaseProbes(database: Database): Record<'database' | 'migrations', Probe> {
  return {
    database: async () => (await database.query('select 1')).length === 1,
    migrations: async () => assertUsable(await readExecuted(database)).kind !== 'behind',
  };
}

/** pg_trgm finds no letters outside ASCII when the cluster's LC_CTYPE is C. */
async function assertTrigramsOfArabic(orm: MikroORM): Promise<void> {
  const [row] = await orm.em
    .getConnection()
    .execute<{ count: number }[]>(`select cardinality(show_trgm('دبي')) as count`);
  if (row && row.count > 0) return;
  throw new Error(
    'This Postgres finds no trigrams in Arabic text: its LC_CTYPE is "C". ' +
      'Initialise the cluster with --encoding=UTF8 --locale=C.UTF-8.',
  );
}
