import type { Sql } from './database.ts';

/** By the database's clock. False while another holder has it: one that froze or died loses it by time. */
export async function holdLease(
  { tables, fragment, run }: Sql,
  { name, holder, seconds }: { name: string; holder: string; seconds: number },
): Promise<boolean> {
  const now = fragment<Date>`clock_timestamp()`;
  const expires_at = fragment<Date>`${now} + ${seconds} * interval '1 second'`;
  const lease = tables
    .insertInto('worker_leases')
    .values({ name, holder, expires_at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(({ ref }) => ({
          holder: ref('excluded.holder'),
          expires_at: ref('excluded.expires_at'),
        }))
        .where(({ eb, or, ref }) =>
          or([
            eb('worker_leases.holder', '=', ref('excluded.holder')),
            eb('worker_leases.expires_at', '<=', now),
          ]),
        ),
    );
  return (await run(lease.returning('name'))).length > 0;
}
