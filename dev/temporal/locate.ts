import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import type { Progress } from '../progress.ts';
import { acquire, type Acquisition } from './acquire.ts';
import { BUILT_VERSION, buildTemporal } from './build.ts';
import { downloadWithSdk } from './download.ts';
import { findServer, type TemporalSource } from './find-server.ts';
import { isTemporalCli, onSearchPath } from './probe-binary.ts';

type Environment = Record<string, string | undefined>;

/** Finds a Temporal server on this machine, or gets one (see find-server.ts for the order). */
export async function locateTemporal(
  env: Environment,
  progress: Progress,
): Promise<TemporalSource> {
  const bin = path.join(cacheFolder(env), 'bin');
  const downloaded = path.join(bin, 'temporal-downloaded');
  const built = path.join(bin, `temporal-${BUILT_VERSION}`);
  const kept = async () => (await usable(built)) ?? usable(downloaded);

  const download: Acquisition = {
    title: 'Downloading the Temporal server',
    target: downloaded,
    work: (target) => downloadWithSdk('dev-server', target, env),
    kept,
  };
  const build: Acquisition = {
    title: 'Building the Temporal server (once, some five minutes)',
    target: built,
    work: (target) => buildTemporal(target, env),
    kept,
  };
  return findServer(
    { address: env['TEMPORAL_ADDRESS'], binary: env['TEMPORAL_BINARY'] },
    {
      isUsable: isTemporalCli,
      onPath: async () => usable(await onSearchPath('temporal', env['PATH'] ?? '')),
      kept,
      download: () => acquire(download, progress),
      build: () => acquire(build, progress),
    },
  );
}

async function usable(binary: string | null): Promise<string | null> {
  return binary !== null && (await isTemporalCli(binary)) ? binary : null;
}
