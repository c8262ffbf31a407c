import type { Client } from '@temporalio/client';
import { parseConfig } from '../../platform/config.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { readDeploymentVersion } from '../../worker/deployment-version.ts';
import { waitUntil } from '../wait-until.ts';

/**
 * Gives new runs to the worker that the stack has started: makes its version the current one. On the stack's own
 * Temporal server no other version stays current, since its workers are gone. `env` is the worker's environment.
 */
export async function giveRunsToWorker(
  env: NodeJS.ProcessEnv,
  { isOwnServer }: { isOwnServer: boolean },
): Promise<void> {
  const { temporal, worker } = parseConfig(env);
  const version = await readDeploymentVersion(worker);
  if (!version && !isOwnServer) return;
  const { client, close } = await connectTemporal(temporal);
  try {
    const others = isOwnServer ? await readOthers(client, version?.deploymentName) : [];
    for (const deploymentName of others)
      await setCurrentVersion(client, { deploymentName, buildId: '' });
    // The server knows a version once it has been polled for by one of its workers.
    const what = 'The version of the worker';
    if (version) await waitUntil(() => setCurrentVersion(client, version), { what });
  } finally {
    await close();
  }
}

/** The other deployments of which a version is current. */
async function readOthers(client: Client, own: string | undefined): Promise<string[]> {
  const { namespace } = client.options;
  const found = await client.workflowService.listWorkerDeployments({ namespace });
  return found.workerDeployments
    .filter(({ name, routingConfig }) => name !== own && routingConfig?.currentDeploymentVersion)
    .map(({ name }) => name ?? '');
}

async function setCurrentVersion(
  client: Client,
  version: { deploymentName: string; buildId: string },
): Promise<void> {
  const { namespace, identity } = client.options;
  const request = { namespace, identity, ...version };
  await client.workflowService.setWorkerDeploymentCurrentVersion(request);
}
