import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { newFolder } from '../support/folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = [
  'activities',
  'app',
  'domain',
  'platform',
  'store',
  'temporal',
  'worker',
  'workflows',
];
const PLANTED = 'test/replay/planted/later-lead-lifecycle.ts';

/** The worker's sources in a folder of their own, as a release is unpacked. */
export async function makeRelease(): Promise<string> {
  const folder = newFolder();
  const copy = (name: string) =>
    cp(path.join(root, name), path.join(folder, name), { recursive: true });
  await Promise.all(['package.json', ...SOURCES].map(copy));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** The same with the planted LeadLifecycle, which can continue no run that was begun without it. */
export async function makeIncompatibleRelease(): Promise<string> {
  const folder = await makeRelease();
  await cp(path.join(root, PLANTED), path.join(folder, PLANTED));
  const index = path.join(folder, 'workflows/index.ts');
  const exports = await readFile(index, 'utf8');
  await writeFile(index, exports.replace('./lead-lifecycle.ts', `../${PLANTED}`));
  return folder;
}

/** The version that the lead's newest run is pinned to; throws until its first task is completed. */
export async function versionOf(client: Client, leadId: string): Promise<string> {
  const { raw } = await leadRun(client, leadId).describe();
  const version = raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  if (!version) throw new Error('no task of it is completed');
  return version;
}

export async function readRun(client: Client, leadId: string) {
  const events = (await leadRun(client, leadId).fetchHistory()).events ?? [];
  const completed = events.filter((event) => event.workflowTaskCompletedEventAttributes);
  const failed = events.flatMap((event) => event.workflowTaskFailedEventAttributes ?? []);
  return {
    buildIds: new Set(
      completed.map(
        (event) => event.workflowTaskCompletedEventAttributes?.deploymentVersion?.buildId,
      ),
    ),
    completedAt: completed.map(({ eventTime }) => tsToMs(eventTime)),
    failures: failed.map(({ failure, cause }) => `${leadId}: ${cause} ${failure?.message}`),
  };
}
