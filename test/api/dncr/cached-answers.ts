import type { Sql } from '../../../store/db/database.ts';

/** Puts an answer into the cache as if the registry had given it then. */
export async function giveAnswer(
  sql: Sql,
  { phone, checkedAt }: { phone: string; checkedAt: Date },
): Promise<void> {
  await sql.query(
    `insert into dncr_answers (phone, status, dncr_status, checked_at, transaction_id)
     values ($1, 'not_registered', 'FALSE', $2, 'given')`,
    [phone, checkedAt],
  );
}
