import { canSee, type Reader } from '../../store/assignment/read-assignment.ts';
import type { Database } from '../../store/db/database.ts';
import { INTAKE_RETRIES } from '../../store/leads/lock-people.ts';
import { ApiError, notFound } from '../errors.ts';
import { applySubmission, lockLead, type SubmissionOutcome } from './apply-submission.ts';
import type { IntakeRequest } from './intake-request.ts';
import { wasCommitted } from './lost-commit.ts';

const ERASED = 'The person of this lead was erased: it takes no more details.';

/** When the connection is lost during the commit, the submission shows whether it happened. */
export async function updateLead(
  database: Database,
  request: IntakeRequest,
  leadId: string,
  reader: Reader,
): Promise<SubmissionOutcome> {
  let outcome: SubmissionOutcome | null = null;
  try {
    await database.transaction(
      async (sql) => {
        if (!(await canSee(sql, leadId, reader))) throw notFound('This lead');
        outcome = await applySubmission(sql, request, leadId, 'update');
      },
      { retries: INTAKE_RETRIES },
    );
  } catch (error) {
    const lock = lockLead(request, leadId);
    const isStored = await wasCommitted(database, error, [request.submissionId], lock);
    if (!isStored) return updateLead(database, request, leadId, reader);
  }
  if (!outcome) throw new ApiError('NOT_FOUND', ERASED);
  return outcome;
}
