import { status } from '@grpc/grpc-js';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { isUuid } from '../../domain/uuid.ts';
import { hasGrpcStatus } from '../../temporal/connection.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { leadWorkflowId } from '../../workflows/contracts/lead-lifecycle.ts';
import { findLead } from '../lead/find.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count } from '../text.ts';
import { withTemporal } from '../with-temporal.ts';
import { createPreparation, refusalText } from './prepare-history.ts';
import { writeHistory } from './run-files.ts';

const DEADLINE_MS = 30_000;

/** One run of a lead's workflow. */
export async function saveLead(
  operator: Operator,
  lead: string,
  file: string,
  runId: string | undefined,
): Promise<void> {
  const leadId = isUuid(lead) ? lead.toLowerCase() : await findLead(operator, lead);
  const prepare = await createPreparation(await operator.database());
  const run = await withTemporal(operator, DEADLINE_MS, (client) =>
    fetchRun(client, leadId, runId),
  );
  const { history, findings } = await prepare(leadWorkflowId(leadId), run.history);
  if (findings.length > 0) throw new OperatorError(refusalText({ file, findings }));
  await writeHistory(file, history);
  const saved = { leadId, runId: run.runId, events: history.events.length, file };
  operator.show(
    saved,
    (shown) => `${count(shown.events, 'event')} of run ${shown.runId} saved in ${shown.file}.`,
  );
}

async function fetchRun(client: Client, leadId: string, run: string | undefined) {
  try {
    const { runId } = await leadRun(client, leadId, run).describe();
    return { runId, history: await leadRun(client, leadId, runId).fetchHistory() };
  } catch (error) {
    const isNoRunId = hasGrpcStatus(error, [status.INVALID_ARGUMENT]);
    if (!(error instanceof WorkflowNotFoundError) && !isNoRunId) throw error;
    const which = run ? `no run ${run} of the workflow` : 'no workflow';
    throw new OperatorError(
      `There is ${which} of lead ${leadId}; histories are kept for the namespace’s retention time.`,
    );
  }
}
