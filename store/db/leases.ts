import type { Sql } from './database.ts';

/**
 * Takes or renews a lease for `seconds` by the database's clock. False while another holder has it: one that froze or
 * died loses it by time.
 */
export async function holdLease(
  sql: Sql,
  lease: { name: string; holder: string; seconds: number },
): Promise<boolean> {
  return (await sql.queryOne(HOLD_LEASE_SQL, lease)) !== null;
}

const HOLD_LEASE_SQL = `
insert into worker_leases as l (name, holder, expires_at)
values (:name, :holder, clock_timestamp() + :seconds * interval '1 second')
on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
where l.holder = excluded.holder or l.expires_at <= clock_timestamp()
returning name`;
