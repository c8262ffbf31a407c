import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import type { Sql } from '../db/database.ts';

export interface ClaimStanding {
  status: LeadStatus;
  isHeld: boolean;
  /** This very claim gave the lead its holder. */
  isMade: boolean;
}

/** What became of a claim so far; null for a lead that is not there. */
export async function readClaimStanding(
  sql: Sql,
  leadId: string,
  claimId: string,
): Promise<ClaimStanding | null> {
  const [standing] = await sql.query<ClaimStanding & Record<string, unknown>>(STATEMENT, [
    leadId,
    claimId,
  ]);
  return standing ?? null;
}

const STATEMENT = `
select l.assignment_status as status, l.owner_id is not null as "isHeld",
  exists (select from assignments a where a.claim_id = $2) as "isMade"
from leads l where l.id = $1`;
