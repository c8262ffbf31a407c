import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BundleOptions } from '@temporalio/worker';
import { bundleForReplay } from './bundle.ts';
import { replayAll, type Histories, type ReplayOptions } from './replay-all.ts';

const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

type Bundled = Partial<Pick<BundleOptions, 'workflowsPath' | 'webpackConfigHook'>>;

/** Replays histories on the workflows of the service, or on those of another bundle. */
export async function replayHistories(
  histories: Histories,
  options: ReplayOptions,
  bundled: Bundled = {},
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'replay-'));
  try {
    const bundleFile = await bundleForReplay(folder, { workflowsPath, ...bundled });
    await replayAll(bundleFile, histories, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
