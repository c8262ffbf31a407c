import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { silentProgress } from '../../dev/progress.ts';
import { locateTemporal } from '../../dev/temporal/locate.ts';
import { fromSetup } from '../support/environment.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';

export const root = path.resolve(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0;
export const asRoot = isRoot ? test : test.skip;
export const NOBODY = 65_534;

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

/** A control group, of version 1 or 2, with so much memory; null where none can be made. */
export function limitMemory(megabytes: number): Machine | null {
  const bytes = String(megabytes * 1024 * 1024);
  for (const [parent, file] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const) {
    const group = path.join(parent, `lead-intake-test-${process.pid}`);
    try {
      mkdirSync(group);
      writeFileSync(path.join(group, file), bytes);
      const join = `echo $$ > '${group}/cgroup.procs'; exec "$@"`;
      return {
        within: ['sh', '-ec', join, 'sh'],
        seen: (place) => place,
        end: async () => rmdirSync(group),
      };
    } catch {
      // Not this version, or not allowed.
    }
  }
  return null;
}

/** An empty folder of that account's own. */
export function folderOf(uid: number): string {
  const folder = newFolder();
  chownSync(folder, uid, uid);
  return folder;
}

const probe = limitMemory(1024);
await probe?.end();
export const withMemoryLimit = probe ? test : test.skip;
