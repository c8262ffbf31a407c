import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cacheFolder } from '../cache-folder.ts';
import { tryLock } from '../process/pid-file.ts';
import { runSupervised } from '../process/supervised.ts';
import type { Progress } from '../progress.ts';

const run = promisify(execFile);

/** The last version that `go install` can build; it holds server 1.29.1 and UI 2.42. */
const BUILT_VERSION = '1.5.1';
const MODULE = `github.com/temporalio/cli/cmd/temporal@v${BUILT_VERSION}`;

const NOT_FOUND =
  'No Temporal server was found, and none could be downloaded or built. One of these helps:\n' +
  '  - install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH;\n' +
  '  - set TEMPORAL_BINARY to the path of the Temporal CLI;\n' +
  '  - set TEMPORAL_ADDRESS to the host:port of a Temporal server that runs;\n' +
  '  - install Go 1.24 or newer, from which the CLI is then built (about five minutes, once).';

/** The path of a Temporal CLI: one on this machine, or else one that is downloaded or built once. */
export async function locateTemporal(env: NodeJS.ProcessEnv, progress: Progress): Promise<string> {
  const given = env['TEMPORAL_BINARY'];
  const installed = given || onSearchPath('temporal', env['PATH']);
  if (installed && (await isTemporalCli(installed))) return installed;
  if (given)
    throw new Error(
      `TEMPORAL_BINARY is ${given}, which is not a Temporal CLI with a server in it.`,
    );

  const bin = path.join(cacheFolder(env), 'bin');
  const downloaded = path.join(bin, 'temporal-downloaded');
  const built = path.join(bin, `temporal-${BUILT_VERSION}`);
  const cached = async () => {
    for (const binary of [built, downloaded]) if (await isTemporalCli(binary)) return binary;
    return null;
  };
  const download: Acquisition = {
    title: 'Downloading the Temporal server',
    target: downloaded,
    produce: () => downloadWithSdk('dev-server', downloaded, env),
    cached,
  };
  const build: Acquisition = {
    title: 'Building the Temporal server (once, some five minutes)',
    target: built,
    produce: () => buildTemporal(built, env),
    cached,
  };
  const found =
    (await cached()) ?? (await acquire(download, progress)) ?? (await acquire(build, progress));
  if (found === null) throw new Error(NOT_FOUND);
  return found;
}

export interface Acquisition {
  title: string;
  /** Its place in the cache folder. */
  target: string;
  produce: () => Promise<void>;
  /** Called under the lock: another start may have produced it meanwhile. */
  cached: () => Promise<string | null>;
}

/** Downloads or builds a program once, however many stacks start at the same time; null when it fails. */
export async function acquire(wanted: Acquisition, progress: Progress): Promise<string | null> {
  const { title, target, produce, cached } = wanted;
  let lock = tryLock(`${target}.lock`);
  if (!lock.isMine) progress.say(`${title}: process ${lock.heldBy} is at it, waiting for that.`);
  for (; !lock.isMine; lock = tryLock(`${target}.lock`)) await sleep(500);
  try {
    return (await cached()) ?? (await progress.run(title, produce).then(() => target));
  } catch (error) {
    progress.say(error instanceof Error ? error.message : String(error));
    return null;
  } finally {
    lock.release();
  }
}

/** Whether the program is the Temporal CLI with a server inside; `tctl` and the like are not. */
async function isTemporalCli(binary: string): Promise<boolean> {
  const versions = run(binary, ['--version'], { timeout: 30_000 });
  return versions.then(
    ({ stdout }) => /temporal version .*\(Server \d/.test(stdout),
    () => false,
  );
}

/** The first executable of that name on the search path. */
export function onSearchPath(name: string, searchPath = ''): string | null {
  const places = searchPath.split(path.delimiter).filter(Boolean);
  return places.map((folder) => path.join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Builds the official CLI from the Go module proxy; `target` appears atomically. */
async function buildTemporal(target: string, env: NodeJS.ProcessEnv): Promise<void> {
  const go = onSearchPath('go', env['PATH']);
  if (go === null) throw new Error('there is no Go on PATH');
  const draft = await mkdtemp(`${target}-build-`);
  try {
    const args = ['install', '-ldflags=-s -w', MODULE];
    const logFile = `${target}-build.log`;
    const buildEnv = { ...env, GOBIN: draft };
    await runSupervised({ name: 'go', command: go, args, env: buildEnv, logFile });
    await rename(path.join(draft, 'temporal'), target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const DOWNLOAD_TIMEOUT_MS = 120_000;
const DOWNLOAD = path.join(import.meta.dirname, 'sdk-download.ts');

/** The SDK's download has no time limit of its own, so it runs in a process that is killed. */
export async function downloadWithSdk(
  what: 'dev-server' | 'time-skipping',
  target: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const folder = await mkdtemp(`${target}-download-`);
  const limit = { env, timeout: DOWNLOAD_TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  try {
    await run(process.execPath, [DOWNLOAD, what, folder], limit);
    const [file = ''] = await readdir(folder);
    await rename(path.join(folder, file), target);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    // The SDK repeats the address three times before the cause.
    throw new Error(stderr.trim().split('): ').at(-1) || message, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
