import type { Database } from '../../store/db/database.ts';
import { canSee } from '../../store/assignment/read-assignment.ts';
import type { Reader } from '../../store/assignment/read-assignment.ts';
import { INTAKE_RETRIES } from '../../store/leads/lock-people.ts';
import { applySubmission } from './apply-submission.ts';
import type { SubmissionOutcome } from './apply-submission.ts';
import type { IntakeRequest } from './request.ts';

/** Updates a lead in one transaction; null for a lead that this reader may not see. */
export async function updateLead(
  database: Database,
  request: IntakeRequest,
  leadId: string,
  reader: Reader,
): Promise<SubmissionOutcome | null> {
  return database.transaction(
    async (sql) =>
      (await canSee(sql, leadId, reader)) ? applySubmission(sql, request, leadId, 'update') : null,
    { retries: INTAKE_RETRIES },
  );
}
