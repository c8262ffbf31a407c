import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder } from '../cache-folder.ts';
import { tryLock, type Lock } from '../process/lock.ts';
import type { Progress } from '../progress.ts';
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
  const kept = async () => (await firstUsable(built)) ?? firstUsable(downloaded);

  const get = async (title: string, target: string, work: () => Promise<void>) => {
    await mkdir(bin, { recursive: true });
    const lock = await waitForLock(`${target}.lock`, progress);
    try {
      return (await kept()) ?? (await attempt(title, target, work, progress));
    } finally {
      lock.release();
    }
  };

  return findServer(
    { address: env['TEMPORAL_ADDRESS'], binary: env['TEMPORAL_BINARY'] },
    {
      isUsable: isTemporalCli,
      onPath: async () => firstUsable(await onSearchPath('temporal', env['PATH'] ?? '')),
      kept,
      download: () =>
        get('Downloading the Temporal server', downloaded, () =>
          downloadWithSdk('dev-server', downloaded, env),
        ),
      build: () =>
        get('Building the Temporal server (once, some five minutes)', built, () =>
          buildTemporal(built, env),
        ),
    },
  );
}

async function firstUsable(binary: string | null): Promise<string | null> {
  return binary !== null && (await isTemporalCli(binary)) ? binary : null;
}

async function attempt(
  title: string,
  target: string,
  work: () => Promise<void>,
  progress: Progress,
): Promise<string | null> {
  const { done, fail } = progress.begin(title);
  try {
    await work();
    done(`kept as ${target}`);
    return target;
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** Two starts at once get it once. */
async function waitForLock(file: string, progress: Progress): Promise<Lock & { isMine: true }> {
  let lock = tryLock(file);
  if (!lock.isMine)
    progress.say(`Process ${lock.heldBy} is getting the Temporal server; waiting for it.`);
  while (!lock.isMine) {
    await sleep(500);
    lock = tryLock(file);
  }
  return lock;
}
