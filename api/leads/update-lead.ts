import type { Database } from '../../store/db/database.ts';
import { canSee } from '../../store/assignment/read-assignment.ts';
import type { Reader } from '../../store/assignment/read-assignment.ts';
import { attachEnquiry } from './apply-submission.ts';
import type { AttachOutcome } from './apply-submission.ts';
import { INTAKE_RETRIES } from './request.ts';
import type { IntakeRequest } from './request.ts';

/** An update in one transaction; null for a lead that is not there for this reader. */
export async function updateLead(
  database: Database,
  request: IntakeRequest,
  leadId: string,
  reader: Reader,
): Promise<AttachOutcome | null> {
  return database.transaction(
    async (sql) =>
      (await canSee(sql, leadId, reader)) ? attachEnquiry(sql, request, leadId, 'update') : null,
    { retries: INTAKE_RETRIES },
  );
}
