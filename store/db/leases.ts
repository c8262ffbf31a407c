import type { Sql } from './database.ts';
import { statement } from './statement.ts';

interface Lease {
  name: string;
  holder: string;
  seconds: number;
}

/** By the database's clock. False while another holder has it: a holder that froze or died loses it by time. */
export async function holdLease(sql: Sql, lease: Lease): Promise<boolean> {
  return (await sql.first(HOLD_LEASE, lease)) !== null;
}

const HOLD_LEASE = statement<Lease, { name: string }>('hold_lease')`
insert into worker_leases as held (name, holder, expires_at)
values (:name, :holder, clock_timestamp() + :seconds::float8 * interval '1 second')
on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
where held.holder = excluded.holder or held.expires_at <= clock_timestamp() returning name`;
