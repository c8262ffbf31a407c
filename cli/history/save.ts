import { writeFile } from 'node:fs/promises';
import { status } from '@grpc/grpc-js';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { hasGrpcStatus } from '../../temporal/grpc-status.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { fileError, writeAtomically } from '../files.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { asLeadId } from '../lead/lead-id.ts';
import { count } from '../text.ts';
import { withTemporal } from '../with-temporal.ts';
import { readAgentIds, withAgentIds } from './agent-ids.ts';

const DEADLINE_MS = 30_000;

/** One run of a lead's workflow as the replay tests read it; the newest unless another is named. */
export async function saveHistory(
  operator: Operator,
  lead: string,
  file: string,
  { run }: { run?: string },
): Promise<void> {
  const leadId = asLeadId(lead);
  const ids = await readAgentIds(await operator.database());
  const { runId, events, json } = await withTemporal(operator, DEADLINE_MS, (client) =>
    fetchRun(client, leadId, run),
  );
  await writeAtomically(file, (path) =>
    writeFile(path, `${withAgentIds(json, ids)}\n`).catch((error: unknown) => {
      throw fileError(file, 'written', error);
    }),
  );
  operator.show(
    { leadId, runId, events, file },
    () => `${count(events, 'event')} of run ${runId} saved in ${file}.`,
  );
}

async function fetchRun(client: Client, leadId: string, run: string | undefined) {
  const wanted = leadRun(client, leadId, run);
  try {
    const { runId } = await wanted.describe();
    const history = await leadRun(client, leadId, runId).fetchHistory();
    return { runId, events: history.events?.length ?? 0, json: historyToJSON(history) };
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError) && !isNoRunId(error)) throw error;
    const which = run ? `no run ${run} of the workflow` : 'no workflow';
    throw new OperatorError(
      `There is ${which} of lead ${leadId}; histories are kept for the namespace’s retention time.`,
    );
  }
}

/** The server refuses to look for what cannot be the id of a run. */
function isNoRunId(error: unknown): boolean {
  return hasGrpcStatus(error, [status.INVALID_ARGUMENT]);
}
