import type { RegistryAnswer } from '../../domain/dncr/registry-answer.ts';
import type { Sql } from '../db/database.ts';

/** The numbers that a check has claimed and that have no answer yet. */
export async function numbersToAsk(sql: Sql, checkId: string): Promise<string[]> {
  const rows = await sql.query<{ phone: string }>(
    'select phone from dncr_check_numbers where check_id = $1 and status is null order by phone',
    [checkId],
  );
  return rows.map(({ phone }) => phone);
}

export interface GivenAnswers {
  answers: ReadonlyMap<string, RegistryAnswer>;
  checkedAt: Date;
  transactionId: string;
}

/** Puts down what the registry said, before anything else is done with it. */
export async function recordAnswers(sql: Sql, checkId: string, given: GivenAnswers): Promise<void> {
  const rows = [...given.answers].map(([phone, answer]) => ({
    phone,
    status: answer.status,
    dncr_status: answer.dncrStatus,
    registry_status: answer.registryStatus,
  }));
  await sql.query(RECORD, [checkId, JSON.stringify(rows), given.checkedAt, given.transactionId]);
}

const RECORD = `
update dncr_check_numbers n
set status = r.status, dncr_status = r.dncr_status, registry_status = r.registry_status,
  checked_at = $3, transaction_id = $4
from jsonb_to_recordset($2::jsonb)
  as r (phone text, status text, dncr_status text, registry_status text)
where n.check_id = $1 and n.phone = r.phone and n.status is null`;
