import type { Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { taskQueues } from '../workflows/contracts/task-queues.ts';
import { countRuns } from './workflow-runs.ts';

export interface AbandonedVersion extends WorkerDeploymentVersion {
  openRuns: number;
}

/** A poll of Temporal lasts a minute at most. */
const GONE_AFTER_MS = 120_000;

export async function readAbandonedVersions(client: Client, goneAfterMs = GONE_AFTER_MS) {
  const { pollers } = await readLeadQueue(client, Date.now() - goneAfterMs);
  const polled = new Set(pollers.map(({ version }) => nameOf(version)));
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

async function readVersions(client: Client): Promise<WorkerDeploymentVersion[]> {
  const { namespace } = client.options;
  const service = client.workflowService;
  const { workerDeployments } = await service.listWorkerDeployments({ namespace, pageSize: 100 });
  const described = workerDeployments.map(({ name: deploymentName }) =>
    service.describeWorkerDeployment({ namespace, deploymentName }),
  );
  const summaries = (await Promise.all(described)).flatMap(
    ({ workerDeploymentInfo }) => workerDeploymentInfo?.versionSummaries ?? [],
  );
  return summaries.map(({ deploymentVersion }) => toVersion(deploymentVersion));
}

export interface PollingWorkers {
  version: WorkerDeploymentVersion | null;
  workers: number;
  lastPollAt: Date;
  isCurrent: boolean;
}

/** Longer than an idle poll lasts, which is a minute. */
const POLLS_WITHIN_MS = 70_000;

export async function readPollingWorkers(client: Client, now: Date) {
  const { current, pollers } = await readLeadQueue(client, now.getTime() - POLLS_WITHIN_MS);
  const byVersion = Map.groupBy(pollers, ({ version }) => nameOf(version));
  const polling = [...byVersion].map(([name, workers]): PollingWorkers => ({
    version: workers[0]?.version ?? null,
    workers: workers.length,
    lastPollAt: new Date(Math.max(...workers.map(({ atMs }) => atMs))),
    isCurrent: name === nameOf(current),
  }));
  return { current, polling: polling.sort((one, other) => +other.lastPollAt - +one.lastPollAt) };
}

const WORKFLOW_TASKS = 1;

async function readLeadQueue(client: Client, sinceMs: number) {
  const { pollers, versioningInfo } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueues.lifecycle },
    taskQueueType: WORKFLOW_TASKS,
  });
  const current = versioningInfo?.currentDeploymentVersion;
  const all = pollers.map(({ lastAccessTime, deploymentOptions: options }) => ({
    version: options?.deploymentName ? toVersion(options) : null,
    atMs: Number(lastAccessTime?.seconds ?? 0) * 1000,
  }));
  return {
    current: current ? toVersion(current) : null,
    pollers: all.filter(({ atMs }) => atMs >= sinceMs),
  };
}

type DeploymentOptions = { [Name in keyof WorkerDeploymentVersion]?: string | null };

const toVersion = (given: DeploymentOptions | null | undefined) => ({
  deploymentName: String(given?.deploymentName),
  buildId: String(given?.buildId),
});
