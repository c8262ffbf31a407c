import { clientFor } from '../db/roles.ts';
import { personalData } from './personal-data.ts';

const TABLES = Object.entries(personalData)
  .filter(([, { rows }]) => rows !== 'kept')
  .map(([table]) => table);

/**
 * Frees what Postgres still keeps of changed and deleted rows, their index entries and the statistics of their
 * columns, which hold samples of the values.
 */
export const VACUUM_SQL = `vacuum (index_cleanup on, analyze) ${TABLES.join(', ')}`;

/** False where the role may not: only the owner of the tables vacuums them. */
export async function vacuumPersonalTables(ownerUrl: string): Promise<boolean> {
  const client = clientFor(ownerUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ owns: boolean }>(OWNS_SQL, [TABLES]);
    if (!rows[0]?.owns) return false;
    await client.query(VACUUM_SQL);
    return true;
  } finally {
    await client.end();
  }
}

const OWNS_SQL = `
select bool_and(pg_has_role(relowner, 'usage')) as owns from pg_class
where relnamespace = 'public'::regnamespace and relname = any ($1)`;
