import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { cacheFolder } from '../cache-folder.ts';
import { runSupervised } from '../process/supervised.ts';
import type { Progress } from '../progress.ts';

const run = promisify(execFile);

/** The last version that `go install` can build. It contains server 1.29.1 and UI 2.42. */
const BUILT_VERSION = '1.5.1';
const MODULE = `github.com/temporalio/cli/cmd/temporal@v${BUILT_VERSION}`;

const NOT_FOUND =
  'No Temporal server was found, and none could be downloaded or built. Install the Temporal CLI ' +
  '(https://docs.temporal.io/cli) or Go 1.24, or set TEMPORAL_BINARY or TEMPORAL_ADDRESS.';

/** The path of a Temporal CLI. If the machine has none, downloads or builds it once. */
export async function locateTemporal(env: NodeJS.ProcessEnv, progress: Progress): Promise<string> {
  const given = env['TEMPORAL_BINARY'];
  if (given && (await isTemporalCli(given))) return given;
  const notCli = `TEMPORAL_BINARY is ${given}, which is not a Temporal CLI with a server in it.`;
  if (given) throw new Error(notCli);

  const bin = path.join(cacheFolder(env), 'bin');
  await mkdir(bin, { recursive: true });
  const downloaded = path.join(bin, 'temporal-downloaded');
  const built = path.join(bin, `temporal-${BUILT_VERSION}`);
  for (const binary of [await onSearchPath(env), built, downloaded])
    if (await isTemporalCli(binary)) return binary;
  for (const [title, target, produce] of [
    ['Downloading the Temporal server', downloaded, downloadWithSdk],
    ['Building the Temporal server (once, some five minutes)', built, buildTemporal],
  ] as const)
    try {
      await progress.run(title, () => produce(target, env));
      return target;
    } catch (error) {
      progress.say(error instanceof Error ? error.message : String(error));
    }
  throw new Error(NOT_FOUND);
}

/** False for a CLI without a server, such as `tctl`. */
async function isTemporalCli(binary: string): Promise<boolean> {
  try {
    const { stdout } = await run(binary, ['--version'], { timeout: 30_000 });
    return /temporal version .*\(Server \d/.test(stdout);
  } catch {
    return false;
  }
}

const onSearchPath = (env: NodeJS.ProcessEnv) =>
  run('/bin/sh', ['-c', 'command -v temporal'], { env }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );

async function buildTemporal(target: string, env: NodeJS.ProcessEnv): Promise<void> {
  const draft = await mkdtemp(`${target}-build-`);
  try {
    const args = ['install', '-ldflags=-s -w', MODULE];
    const logFile = `${target}-build.log`;
    const buildEnv = { ...env, GOBIN: draft };
    await runSupervised({ name: 'go', command: 'go', args, env: buildEnv, logFile });
    await rename(path.join(draft, 'temporal'), target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const DOWNLOAD_TIMEOUT_MS = 120_000;
const DOWNLOAD = path.join(import.meta.dirname, 'sdk-download.ts');

/** The SDK's download has no time limit, so it runs in a process that can be killed. */
export async function downloadWithSdk(
  target: string,
  env: NodeJS.ProcessEnv,
  what: 'dev-server' | 'time-skipping' = 'dev-server',
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
