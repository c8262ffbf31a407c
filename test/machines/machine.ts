import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { addressFile } from '../../dev/stack/data-folder.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { silentProgress } from '../../dev/progress.ts';
import { locateTemporal } from '../../dev/temporal/locate.ts';
import { fromSetup } from '../support/environment.ts';
import { runProgram } from '../support/program.ts';

export const root = path.resolve(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0;
export const asRoot = isRoot ? test : test.skip;

// What is not allowed here is left out.
const mayMount = isRoot && (await runProgram('unshare', ['-m', 'true'])).code === 0;
export const withMounts = mayMount ? test : test.skip;

/** For a start in `dataDir` on ports of its own; every account can run its Temporal server. */
export async function environment(dataDir: string, others: NodeJS.ProcessEnv = {}) {
  const binary = path.join(fromSetup('TEST_FOLDER'), 'temporal-cli');
  // eslint-disable-next-line no-restricted-properties -- where to find Temporal, as a process would
  const given = process.env;
  if (!existsSync(binary)) {
    copyFileSync(await locateTemporal(given, silentProgress), binary);
    chmodSync(binary, 0o755);
  }
  const ports = { PORT: '0', OPS_PORT: '0', WORKER_OPS_PORT: '0' };
  const own = { ...ports, DEMO_DATA: '0', WORKFLOW_BUNDLE: fromSetup('TEST_WORKFLOWS') };
  return { ...given, ...own, TEMPORAL_BINARY: binary, DATA_DIR: dataDir, ...others };
}

/** Waits until the stack whose npm was killed no longer says that it is up. */
export const hasStopped = (dataDir: string) =>
  waitUntil(async () => assert(!existsSync(addressFile(dataDir))), {
    what: 'The end of the stack',
  });

/** Runs what follows it in the folder. */
export const inFolder = (folder: string) => ['sh', '-ec', 'cd "$0"; exec "$@"', folder];

export interface Machine {
  /** Runs what follows it there. */
  within: string[];
  /** A path of that machine as this process sees it. */
  seen(place: string): string;
  end(): Promise<void>;
}

/** A mount namespace in which `script` has been run, with `args` as $0, $1, …; it lives until it is ended. */
export async function withOwnMounts(script: string, ...args: string[]): Promise<Machine> {
  const shell = ['sh', '-ec', `${script}; echo ready; exec sleep 3600`, ...args];
  const holder = spawn('unshare', ['-m', ...shell], { stdio: ['ignore', 'pipe', 'inherit'] });
  await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() => Promise.reject(new Error('The mounts cannot be made.'))),
  ]);
  return {
    within: ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, ...inFolder(root)],
    seen: (place) => `/proc/${holder.pid}/root${place}`,
    end: () => endOf(holder),
  };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
