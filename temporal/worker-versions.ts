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
 * Reads the versions with open runs and without a worker. A version counts as abandoned once none of its workers has
 * polled for `goneAfterMs`.
 */
export async function readAbandonedVersions(client: Client, goneAfterMs = GONE_AFTER_MS) {
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

const nameOf = (version: WorkerDeploymentVersion | null) =>
  version && `${version.deploymentName}:${version.buildId}`;

/** Reads all versions that Temporal keeps, of every deployment of the namespace. */
async function readVersions(client: Client): Promise<WorkerDeploymentVersion[]> {
  const { namespace } = client.options;
  const service = client.workflowService;
  const { workerDeployments } = await service.listWorkerDeployments({ namespace, pageSize: 100 });
  const versions: WorkerDeploymentVersion[] = [];
  for (const { name: deploymentName } of workerDeployments) {
    const request = { namespace, deploymentName };
    const { workerDeploymentInfo } = await service.describeWorkerDeployment(request);
    for (const { deploymentVersion } of workerDeploymentInfo?.versionSummaries ?? [])
      versions.push(toVersion(deploymentVersion));
  }
  return versions;
}

/** Reads the versions whose workers have polled for the leads' workflow tasks since then. */
async function readPolledVersions(client: Client, sinceMs: number): Promise<Set<string | null>> {
  const { pollers } = await describeLeadQueue(client);
  const recent = pollers.filter((poller) => polledAtMs(poller) >= sinceMs);
  return new Set(recent.map((poller) => nameOf(versionOf(poller))));
}

/** The workers of one version that poll for the leads' workflow tasks. */
export interface PollingWorkers {
  /** Null if they are not versioned. */
  version: WorkerDeploymentVersion | null;
  workers: number;
  lastPollAt: Date;
  /** Whether new runs start on this version. */
  isCurrent: boolean;
}

/** Longer than an idle poll lasts, which is a minute. */
const POLLS_WITHIN_MS = 70_000;

/**
 * Reads the version on which new runs start, null for workers without one, and the polling workers by version. The version
 * that polled last comes first.
 */
export async function readPollingWorkers(client: Client, now: Date) {
  const { pollers, versioningInfo } = await describeLeadQueue(client);
  const options = versioningInfo?.currentDeploymentVersion;
  const current = options ? toVersion(options) : null;
  const recent = pollers.filter((poller) => now.getTime() - polledAtMs(poller) <= POLLS_WITHIN_MS);
  const byVersion = Map.groupBy(recent, (poller) => nameOf(versionOf(poller)));
  const polling = [...byVersion].map(([name, workers]): PollingWorkers => ({
    version: workers.map(versionOf)[0] ?? null,
    workers: workers.length,
    lastPollAt: new Date(Math.max(...workers.map(polledAtMs))),
    isCurrent: name === nameOf(current),
  }));
  return { current, polling: polling.sort((one, other) => +other.lastPollAt - +one.lastPollAt) };
}

const WORKFLOW_TASKS = 1;

function describeLeadQueue(client: Client) {
  return client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueues.lifecycle },
    taskQueueType: WORKFLOW_TASKS,
  });
}

type Poller = Awaited<ReturnType<typeof describeLeadQueue>>['pollers'][number];

const polledAtMs = ({ lastAccessTime }: Poller) => Number(lastAccessTime?.seconds ?? 0) * 1000;

/** Null for a worker without a version. */
const versionOf = ({ deploymentOptions }: Poller) =>
  deploymentOptions?.deploymentName ? toVersion(deploymentOptions) : null;

function toVersion(given: Poller['deploymentOptions']): WorkerDeploymentVersion {
  return { deploymentName: String(given?.deploymentName), buildId: String(given?.buildId) };
}
