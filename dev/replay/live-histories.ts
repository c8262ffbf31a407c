import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import {
  countRuns,
  fetchHistory,
  listRuns,
  sampleRuns,
  SERVICE_QUERY,
  type WorkflowRun,
} from '../../temporal/workflow-runs.ts';
import type { Histories, HistorySource } from './replay-all.ts';

export interface LiveChoice {
  /** Of Temporal's visibility; without it every run of the service. */
  query?: string | undefined;
  /** So many of each workflow type and state, the newest; without it all. */
  sample?: number | undefined;
}

/** Runs of a server, each of which is fetched when its turn comes. */
export async function liveHistories(
  client: Client,
  { query = SERVICE_QUERY, sample }: LiveChoice,
): Promise<Histories> {
  const toSource = (run: WorkflowRun): HistorySource => ({
    name: `${run.workflowId} ${run.runId}`,
    async read() {
      const history = await fetchHistory(client, run);
      return history && historyToJSON(history);
    },
  });
  if (sample !== undefined) {
    const runs = await sampleRuns(client, query, sample);
    return { count: runs.length, histories: runs.map(toSource) };
  }
  async function* all() {
    for await (const run of listRuns(client, query)) yield toSource(run);
  }
  return { count: await countRuns(client, query), histories: all() };
}
