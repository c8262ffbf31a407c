import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import sdk from '@temporalio/worker/package.json' with { type: 'json' };
import { Gauge } from 'prom-client';
import { ConfigurationError, type Config } from '../platform/config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Which version of which Worker Deployment this worker is; null where versioning is off. */
export async function readDeploymentVersion({
  deploymentName,
  buildId,
}: Config['worker']): Promise<WorkerDeploymentVersion | null> {
  if (deploymentName === null) return null;
  return { deploymentName, buildId: buildId ?? (await readCommit(root)) };
}

/**
 * The commit of a checkout, with `-dirty` behind it where files differ from the commit. The folder's own `.git` is
 * named, so that a checkout further up, of something else, is not taken for it.
 */
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

/** On the metrics page, also without versioning. */
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
