import type { Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { taskQueues } from '../workflows/contracts/task-queues.ts';
import { countRuns } from './workflow-runs.ts';

/** A version of the workers on which open runs are pinned while none of its workers polls. */
export interface AbandonedVersion extends WorkerDeploymentVersion {
  openRuns: number;
}

/** A poll of Temporal lasts a minute at most. */
const GONE_AFTER_MS = 120_000;

/**
 * What nobody moves on: open runs wait for workers of their version until one is started again. A version counts as
 * abandoned once none of its workers has polled for `goneAfterMs`.
 */
export async function readAbandonedVersions(
  client: Client,
  goneAfterMs = GONE_AFTER_MS,
): Promise<AbandonedVersion[]> {
  const polled = await readPolledVersions(client, Date.now() - goneAfterMs);
  const abandoned: AbandonedVersion[] = [];
  for (const version of await readVersions(client)) {
    if (polled.has(nameOf(version))) continue;
    const query = `TemporalWorkerDeploymentVersion = '${nameOf(version)}' AND ExecutionStatus = 'Running'`;
    const openRuns = await countRuns(client, query);
    if (openRuns > 0) abandoned.push({ ...version, openRuns });
  }
  return abandoned;
}

const nameOf = ({ deploymentName, buildId }: WorkerDeploymentVersion) =>
  `${deploymentName}:${buildId}`;

/** All that Temporal keeps, of every deployment of the namespace. */
async function readVersions(client: Client): Promise<WorkerDeploymentVersion[]> {
  const { namespace } = client.options;
  const service = client.workflowService;
  const { workerDeployments } = await service.listWorkerDeployments({ namespace, pageSize: 100 });
  const versions: WorkerDeploymentVersion[] = [];
  for (const { name: deploymentName } of workerDeployments) {
    const request = { namespace, deploymentName };
    const { workerDeploymentInfo } = await service.describeWorkerDeployment(request);
    for (const { deploymentVersion } of workerDeploymentInfo?.versionSummaries ?? [])
      versions.push({
        deploymentName: String(deploymentVersion?.deploymentName),
        buildId: String(deploymentVersion?.buildId),
      });
  }
  return versions;
}

const WORKFLOW_TASKS = 1;

/** Those whose workers have polled for the leads' workflow tasks since then. */
async function readPolledVersions(client: Client, sinceMs: number): Promise<Set<string>> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueues.lifecycle },
    taskQueueType: WORKFLOW_TASKS,
  });
  const recent = pollers.filter(
    ({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 >= sinceMs,
  );
  return new Set(
    recent.map(({ deploymentOptions }) =>
      nameOf({
        deploymentName: String(deploymentOptions?.deploymentName),
        buildId: String(deploymentOptions?.buildId),
      }),
    ),
  );
}
