import { waitUntil } from '../../dev/wait-until.ts';
import type { Sql } from '../../store/db/database.ts';

/** Waits until so many sessions of the database wait for a lock. */
export async function waitForLockWaits(sql: Sql, count = 1): Promise<void> {
  const waiting = `select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const areThere = async () => expect(await sql.query(waiting)).toHaveLength(count);
  await waitUntil(areThere, { what: `${count} waiting for a lock` });
}
