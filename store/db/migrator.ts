import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Probe } from '../../platform/operations-server.ts';
import type { Database } from './database.ts';
import { connectOrm } from './orm.ts';

/** A change of a table waits no longer for its readers, since all later statements queue behind it. */
const LOCK_TIMEOUT_MS = 5000;

/**
 * Brings the database at `url` up to date and checks that it can do what the searches need; of several
 * at once the others wait and find nothing to do. Returns the names of the migrations that it ran.
 */
export async function migrate(url: string): Promise<string[]> {
  const orm = await connectOrm({ url, poolSize: 3, lockTimeoutMs: LOCK_TIMEOUT_MS });
  try {
    const ran = await withMigrationLock(orm, () => orm.migrator.up());
    await assertTrigramsOfArabic(orm);
    return ran.map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}

/** The lock is that of a connection, so that it goes with a process that dies. */
async function withMigrationLock<T>(orm: MikroORM, work: () => Promise<T>): Promise<T> {
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  const client = await pool.connect();
  try {
    await client.query(`set lock_timeout = 0`);
    await client.query(`select pg_advisory_lock(hashtext('lead-intake migrate'))`);
    return await work();
  } finally {
    client.release(true);
  }
}

/** Whether the database is reachable and has every migration of this code. */
export function databaseProbes(database: Database): Record<'database' | 'migrations', Probe> {
  return {
    database: async () => (await database.query('select 1')).length === 1,
    migrations: async () => (await database.orm.migrator.getPending()).length === 0,
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
