import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  lastLines,
  runSupervised,
  startSupervised,
  type SupervisedProcess,
} from '../process/supervised.ts';
import { onSearchPath } from './acquire.ts';

/** The last version that `go install` can build; it holds server 1.29.1 and UI 2.42. */
export const BUILT_VERSION = '1.5.1';
const MODULE = `github.com/temporalio/cli/cmd/temporal@v${BUILT_VERSION}`;

/** Builds the official CLI from the Go module proxy; `target` appears atomically. */
export async function buildTemporal(target: string, env: NodeJS.ProcessEnv): Promise<void> {
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
const script = fileURLToPath(new URL('sdk-download.ts', import.meta.url));

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
