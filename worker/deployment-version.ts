import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import sdk from '@temporalio/worker/package.json' with { type: 'json' };
import { Gauge } from 'prom-client';
import { status as grpcStatus } from '@grpc/grpc-js';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { ConfigurationError, type Config } from '../platform/config.ts';
import { hasGrpcStatus } from '../temporal/connection.ts';
import type { StateGauge } from '../platform/operations-server.ts';
import { readAbandonedVersions } from '../temporal/worker-versions.ts';
import { startPollLoop } from './poll-loop.ts';

const root = path.dirname(import.meta.dirname);

export async function readDeploymentVersion({
  deploymentName,
  buildId,
}: Config['worker']): Promise<WorkerDeploymentVersion | null> {
  if (deploymentName === null) return null;
  return { deploymentName, buildId: buildId ?? (await readCommit(root)) };
}

/** Names the folder's `.git`, so that git uses no checkout of a parent folder. */
export async function readCommit(folder: string): Promise<string> {
  const place = [`--git-dir=${path.join(folder, '.git')}`, `--work-tree=${folder}`];
  const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  try {
    const { stdout } = await promisify(execFile)('git', [...place, ...describe]);
    return stdout.trim();
  } catch {
    throw new ConfigurationError(`The configuration is not valid:\n  ${UNKNOWN_BUILD}`);
  }
}

const UNKNOWN_BUILD =
  'WORKER_BUILD_ID: is needed with WORKER_DEPLOYMENT, since git names no commit here. An image gets it when it is ' +
  'built: docker build --build-arg BUILD_ID="$(git rev-parse HEAD)" .';

export function publishBuildInfo(
  given: Config['worker'],
  version: WorkerDeploymentVersion | null,
): void {
  const { deploymentName, buildId } = version ?? given;
  const info = new Gauge({
    name: 'worker_build_info',
    help: 'The worker’s Worker Deployment, build id and Temporal SDK; always 1.',
    labelNames: ['deployment', 'build_id', 'sdk_version'],
  });
  const labels = { deployment: deploymentName ?? '', build_id: buildId ?? '' };
  info.set({ ...labels, sdk_version: sdk.version }, 1);
}

/** In the order of the server's numbers, from 1. */
const MEANINGS = {
  inactive: 'no run starts on this version until it is made current',
  current: 'new runs start on this version',
  ramping: 'some of the new runs start on this version',
  draining: 'no new run starts on this version; keep its workers until its open runs are over',
  drained: 'no open run is left on this version; its workers may be stopped',
};
const STATUSES = Object.keys(MEANINGS) as (keyof typeof MEANINGS)[];

const REPORT_EVERY_MS = 5000;

export function startVersionReports(
  client: Client,
  version: WorkerDeploymentVersion,
  { address, log }: { address: string; log: Logger },
) {
  const { namespace } = client.options;
  const setCurrent =
    `temporal worker deployment set-current-version --address ${address} --namespace ${namespace} ` +
    `--deployment-name ${version.deploymentName} --build-id ${version.buildId}`;
  let reported: keyof typeof MEANINGS | null = null;
  async function report(): Promise<number> {
    const status = await readStatus(client, version);
    if (status === null || status === reported) return 0;
    reported = status;
    if (status === 'inactive') log.warn({ ...version, status, setCurrent }, MEANINGS[status]);
    else log.info({ ...version, status }, MEANINGS[status]);
    return 0;
  }
  return startPollLoop(report, { name: 'version', everyMs: REPORT_EVERY_MS, log });
}

const SCRAPE_LIMIT_MS = 2000;

export function runsWithoutWorker(client: Client): StateGauge {
  const read = async () => {
    const versions = await readAbandonedVersions(client);
    const readings = versions.map(({ deploymentName, buildId, openRuns }) => ({
      label: `${deploymentName}:${buildId}`,
      value: openRuns,
    }));
    return readings.length > 0 ? readings : [{ label: '', value: 0 }];
  };
  return {
    name: 'workflow_runs_without_worker',
    help: 'Open runs that are pinned to a version of which no worker runs.',
    label: 'version',
    read: () => client.withDeadline(Date.now() + SCRAPE_LIMIT_MS, read).catch(() => []),
  };
}

async function readStatus(client: Client, deploymentVersion: WorkerDeploymentVersion) {
  const { namespace } = client.options;
  const request = { namespace, deploymentVersion };
  try {
    const { workerDeploymentVersionInfo: info } =
      await client.workflowService.describeWorkerDeploymentVersion(request);
    return STATUSES[(info?.status ?? 0) - 1] ?? null;
  } catch (error) {
    if (hasGrpcStatus(error, [grpcStatus.NOT_FOUND])) return null;
    throw error;
  }
}
