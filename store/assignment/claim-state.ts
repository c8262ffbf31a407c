import type { AssignmentStatus } from '../../domain/assignment/assignment-event.ts';
import type { Sql } from '../db/database.ts';

export interface ClaimState {
  status: AssignmentStatus;
  isHeld: boolean;
  /** This very claim gave the lead its holder. */
  isRecorded: boolean;
}

export async function isClaimRecorded(sql: Sql, claimId: string): Promise<boolean> {
  const rows = await sql.query(`select id from assignments where claim_id = $1`, [claimId]);
  return rows.length > 0;
}

/** What became of a claim so far; null for a lead that is not there. */
export async function readClaimState(
  sql: Sql,
  leadId: string,
  claimId: string,
): Promise<ClaimState | null> {
  const [state] = await sql.query<ClaimState & Record<string, unknown>>(CLAIM_STATE_SQL, [
    leadId,
    claimId,
  ]);
  return state ?? null;
}

const CLAIM_STATE_SQL = `
select l.assignment_status as status, l.owner_id is not null as "isHeld",
  exists (select from assignments a where a.claim_id = $2) as "isRecorded"
from leads l where l.id = $1`;
