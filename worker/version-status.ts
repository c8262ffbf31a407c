import { status as grpcStatus } from '@grpc/grpc-js';
import type { Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { Logger } from 'pino';
import { hasGrpcStatus } from '../temporal/connection.ts';
import type { StateGauge } from '../platform/operations-server.ts';
import { readAbandonedVersions } from '../temporal/worker-versions.ts';
import { startPollLoop } from './poll-loop.ts';

/** As the server numbers them, from 1. */
const STATUSES = ['inactive', 'current', 'ramping', 'draining', 'drained'] as const;
type VersionStatus = (typeof STATUSES)[number];

const MEANINGS: Record<VersionStatus, string> = {
  inactive: 'no run starts on this version until it is made current',
  current: 'new runs start on this version',
  ramping: 'some of the new runs start on this version',
  draining: 'no new run starts on this version; keep its workers until its open runs are over',
  drained: 'no open run is left on this version; its workers may be stopped',
};

const REPORT_EVERY_MS = 5000;

/** Logs the status that Temporal gives this version, at first and when it changes. */
export function startVersionReports(
  client: Client,
  version: WorkerDeploymentVersion,
  { address, log }: { address: string; log: Logger },
) {
  let reported: VersionStatus | null = null;
  async function report(): Promise<number> {
    const status = await readStatus(client, version);
    if (status === null || status === reported) return 0;
    reported = status;
    const setCurrent = formatSetCurrent(address, client.options.namespace, version);
    if (status === 'inactive') log.warn({ ...version, status, setCurrent }, MEANINGS[status]);
    else log.info({ ...version, status }, MEANINGS[status]);
    return 0;
  }
  return startPollLoop(report, { name: 'version', everyMs: REPORT_EVERY_MS, log });
}

const SCRAPE_LIMIT_MS = 2000;

/** No reading while Temporal does not answer. */
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

function formatSetCurrent(
  address: string,
  namespace: string,
  { deploymentName, buildId }: WorkerDeploymentVersion,
): string {
  return (
    `temporal worker deployment set-current-version --address ${address} --namespace ${namespace} ` +
    `--deployment-name ${deploymentName} --build-id ${buildId}`
  );
}

/** Null until the server has seen a worker of this version. */
async function readStatus(
  client: Client,
  deploymentVersion: WorkerDeploymentVersion,
): Promise<VersionStatus | null> {
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
