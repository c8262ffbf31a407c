import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import process from 'node:process';
import pTimeout from 'p-timeout';
import { cacheFolder } from '../cache-folder.ts';
import type { Progress } from '../progress.ts';
import { tryLock } from '../process/pid-file.ts';
import {
  lastLines,
  runSupervised,
  startSupervised,
  type SupervisedProcess,
} from '../process/supervised.ts';

/** Finds a Temporal server on this machine, or downloads or builds one. */
export async function locateTemporal(
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<TemporalSource> {
  const bin = path.join(cacheFolder(env), 'bin');
  const downloaded = path.join(bin, 'temporal-downloaded');
  const built = path.join(bin, `temporal-${BUILT_VERSION}`);
  const cached = async () => (await usable(built)) ?? usable(downloaded);

  const get = (title: string, target: string, produce: Acquisition['produce']) => () =>
    acquire({ title, target, produce, cached }, progress);
  return findServer(
    { address: env['TEMPORAL_ADDRESS'], binary: env['TEMPORAL_BINARY'] },
    {
      isUsable: isTemporalCli,
      onPath: async () => usable(await onSearchPath('temporal', env['PATH'] ?? '')),
      cached,
      download: get('Downloading the Temporal server', downloaded, (target) =>
        downloadWithSdk('dev-server', target, env),
      ),
      build: get('Building the Temporal server (once, some five minutes)', built, (target) =>
        buildTemporal(target, env),
      ),
    },
  );
}

async function usable(binary: string | null): Promise<string | null> {
  return binary !== null && (await isTemporalCli(binary)) ? binary : null;
}

/** The address of a running Temporal server, or a program to start one with. */
export type TemporalSource =
  { kind: 'address'; address: string } | { kind: 'binary'; path: string };

/** Each returns the path of a usable program, or null; `download` and `build` may take minutes. */
export interface Probes {
  isUsable(path: string): Promise<boolean>;
  onPath(): Promise<string | null>;
  cached(): Promise<string | null>;
  download(): Promise<string | null>;
  build(): Promise<string | null>;
}

const NOT_FOUND =
  'No Temporal server was found, and none could be downloaded or built. One of these helps:\n' +
  '  - install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH;\n' +
  '  - set TEMPORAL_BINARY to the path of the Temporal CLI;\n' +
  '  - set TEMPORAL_ADDRESS to the host:port of a Temporal server that runs;\n' +
  '  - install Go 1.24 or newer, from which the CLI is then built (about five minutes, once).';

/** A configured server wins; otherwise the sources are tried from the fastest to the slowest. */
export async function findServer(
  { address, binary }: Readonly<Record<'address' | 'binary', string | undefined>>,
  probes: Probes,
): Promise<TemporalSource> {
  if (address) return { kind: 'address', address };
  if (binary) {
    if (await probes.isUsable(binary)) return { kind: 'binary', path: binary };
    throw new Error(
      `TEMPORAL_BINARY is ${binary}, which is not a Temporal CLI with a server in it: ` +
        '`temporal --version` should name a server version.',
    );
  }
  for (const probe of [probes.onPath, probes.cached, probes.download, probes.build]) {
    const path = await probe();
    if (path !== null) return { kind: 'binary', path };
  }
  throw new Error(NOT_FOUND);
}

/** Throws, saying what to do, unless something listens at `host:port`. */
export async function reachTemporal(address: string): Promise<void> {
  try {
    const { hostname: host, port } = new URL(`tcp://${address}`);
    const socket = connect({ host, port: Number(port) || 7233 });
    const inTime = { milliseconds: 5000, message: 'no answer in time' };
    await pTimeout(once(socket, 'connect'), inTime).finally(() => socket.destroy());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `No Temporal server was reached at TEMPORAL_ADDRESS=${address} (${reason}).\n` +
        'Start it first, or unset TEMPORAL_ADDRESS to have one started here.',
      { cause: error },
    );
  }
}

export interface Acquisition {
  title: string;
  /** Its place in the cache folder. */
  target: string;
  produce: (target: string) => Promise<void>;
  /** Called under the lock: another start may have produced it meanwhile. */
  cached: () => Promise<string | null>;
}

/** Downloads or builds a program once, however many stacks start at the same time; null when it fails. */
export async function acquire(wanted: Acquisition, progress: Progress): Promise<string | null> {
  await mkdir(path.dirname(wanted.target), { recursive: true });
  const lock = await waitForLock(wanted, progress);
  try {
    return (await wanted.cached()) ?? (await produceOnce(wanted, progress));
  } finally {
    lock.release();
  }
}

async function produceOnce({ title, target, produce }: Acquisition, progress: Progress) {
  const { done, fail } = progress.begin(title);
  try {
    await produce(target);
    done(`kept as ${target}`);
    return target;
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
    return null;
  }
}

async function waitForLock({ title, target }: Acquisition, progress: Progress) {
  for (let isFirst = true; ; isFirst = false) {
    const lock = tryLock(`${target}.lock`);
    if (lock.isMine) return lock;
    if (isFirst) progress.say(`${title}: process ${lock.heldBy} is at it, waiting for that.`);
    await sleep(500);
  }
}

/** Whether the program is the Temporal CLI with a server inside; `tctl` and the like are not. */
async function isTemporalCli(binary: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 30_000 });
    return /temporal version .*\(Server \d/.test(stdout);
  } catch {
    return false;
  }
}

/** The first executable of that name on the search path. */
export async function onSearchPath(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(path.delimiter).filter(Boolean)) {
    const candidate = path.join(folder, name);
    const isExecutable = access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (await isExecutable) return candidate;
  }
  return null;
}

/** The last version that `go install` can build; it holds server 1.29.1 and UI 2.42. */
const BUILT_VERSION = '1.5.1';
const MODULE = `github.com/temporalio/cli/cmd/temporal@v${BUILT_VERSION}`;

/** Builds the official CLI from the Go module proxy; `target` appears atomically. */
async function buildTemporal(target: string, env: NodeJS.ProcessEnv): Promise<void> {
  const go = await onSearchPath('go', env['PATH'] ?? '');
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

const FIRST_BYTES_WITHIN_MS = 10_000;
const ALL_WITHIN_MS = 5 * 60_000;
const script = path.join(import.meta.dirname, 'sdk-download.ts');

/**
 * Downloads a server with the SDK, which has no time limit of its own: it runs in a process that is
 * killed when nothing arrives, so that the wait without internet is short.
 */
export async function downloadWithSdk(
  what: 'dev-server' | 'time-skipping',
  target: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const folder = await mkdtemp(`${target}-download-`);
  const logFile = `${target}-download.log`;
  const program = { name: 'download', command: process.execPath, args: [script, what, folder] };
  const child = await startSupervised({ ...program, env, logFile });
  try {
    await endOfDownload(child, folder);
    const [file] = await readdir(folder);
    if (file === undefined) throw new Error(reasonIn(logFile));
    await rename(path.join(folder, file), target);
  } finally {
    await child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function endOfDownload(child: SupervisedProcess, folder: string): Promise<void> {
  const deadline = Date.now() + ALL_WITHIN_MS;
  for (;;) {
    const pause = sleep(FIRST_BYTES_WITHIN_MS, null, { ref: false });
    const exit = await Promise.race([child.exited, pause]);
    if (exit?.code === 0) return;
    if (exit) throw new Error(reasonIn(child.logFile));
    const isEmpty = (await readdir(folder)).length === 0;
    if (isEmpty) throw new Error(`nothing came within ${FIRST_BYTES_WITHIN_MS / 1000} s`);
    if (Date.now() > deadline) throw new Error(`not all came within ${ALL_WITHIN_MS / 1000} s`);
  }
}

/** The SDK repeats the address three times before the cause. */
function reasonIn(logFile: string): string {
  return lastLines(logFile, 1).split('): ').at(-1) ?? '';
}
