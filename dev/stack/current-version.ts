import type { WorkerDeploymentVersion } from '@temporalio/common';
import { parseConfig } from '../../platform/config.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { readDeploymentVersion } from '../../worker/deployment-version.ts';
import { waitUntil } from '../wait-until.ts';

/** On the stack's own server no other version stays current, since the workers of other versions have ended. */
export async function giveRunsToWorker(
  env: NodeJS.ProcessEnv,
  isOwnServer: boolean,
): Promise<void> {
  const { temporal, worker } = parseConfig(env);
  const version = await readDeploymentVersion(worker);
  if (!version && !isOwnServer) return;
  const { client, close } = await connectTemporal(temporal);
  const { namespace, identity } = client.options;
  const service = client.workflowService;
  const setCurrent = (current: WorkerDeploymentVersion) =>
    service.setWorkerDeploymentCurrentVersion({ namespace, identity, ...current });
  try {
    const listed = isOwnServer ? await service.listWorkerDeployments({ namespace }) : null;
    for (const { name, routingConfig } of listed?.workerDeployments ?? [])
      if (name && name !== version?.deploymentName && routingConfig?.currentDeploymentVersion)
        await setCurrent({ deploymentName: name, buildId: '' });
    // The server does not know a version until a worker of it has polled.
    if (version) await waitUntil(() => setCurrent(version), { what: 'The version of the worker' });
  } finally {
    await close();
  }
}
