import type { MikroORM } from '@mikro-orm/postgresql';
import { connectOrm } from './orm.ts';

/**
 * Brings the database at `url` up to date, making it if it is missing, and checks that it can do
 * what the searches need. Returns the names of the migrations that it ran.
 */
export async function migrate(url: string): Promise<string[]> {
  const orm = await connectOrm({ url, poolSize: 2 });
  try {
    const ran = await orm.migrator.up();
    await assertTrigramsOfArabic(orm);
    return ran.map((migration) => migration.name);
  } finally {
    await orm.close(true);
  }
}

/** The migrations that this code has and the database has not. */
export async function pendingMigrations(orm: MikroORM): Promise<string[]> {
  return (await orm.migrator.getPending()).map((migration) => migration.name);
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
