import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { startGuarded } from '../process/supervised.ts';
import { lastLines } from '../process/log-file.ts';
import { onSearchPath } from './probe-binary.ts';

/** The last version that `go install` can build; it holds server 1.29.1 and UI 2.42. */
export const BUILT_VERSION = '1.5.1';
const MODULE = `github.com/temporalio/cli/cmd/temporal@v${BUILT_VERSION}`;

/** Builds the official CLI from the Go module proxy; it appears at `target` whole or not at all. */
export async function buildTemporal(
  target: string,
  env: Record<string, string | undefined>,
): Promise<void> {
  const go = await onSearchPath('go', env['PATH'] ?? '');
  if (go === null) throw new Error('there is no Go on PATH');
  const draft = await mkdtemp(`${target}-build-`);
  try {
    await goInstall(go, { ...env, GOBIN: draft }, `${target}-build.log`);
    await rename(path.join(draft, 'temporal'), target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function goInstall(go: string, env: Record<string, string | undefined>, logFile: string) {
  const args = ['install', '-ldflags=-s -w', MODULE];
  const build = await startGuarded({ name: 'go', command: go, args, env, logFile });
  const { code } = await build.exited;
  if (code !== 0) throw new Error(`${lastLines(logFile, 3)}\n  (all of it: ${logFile})`);
}
