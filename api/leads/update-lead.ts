import type { Database } from '../../store/db/database.ts';
import { canSee } from '../../store/assignment/read-assignment.ts';
import type { Reader } from '../../store/assignment/read-assignment.ts';
import { applySubmission } from './apply-submission.ts';
import type { SubmissionOutcome } from './apply-submission.ts';
import { INTAKE_RETRIES } from './request.ts';
import type { IntakeRequest } from './request.ts';

/** An update in one transaction; null for a lead that is not there for this reader. */
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
