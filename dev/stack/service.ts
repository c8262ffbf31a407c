import path from 'node:path';
import process from 'node:process';
import { startGuarded, type GuardedProcess } from '../process/supervised.ts';
import { lastLines } from '../process/log-file.ts';
import { waitUntil } from '../wait-until.ts';
import { runningFolder } from './folder.ts';
import { root } from './scripts.ts';
import type { Environment } from './settings.ts';

export interface ServiceOptions {
  name: 'api' | 'worker';
  script: string;
  opsPort: number;
  dataDir: string;
  env: Environment;
  /** Nobody waits for it any more. */
  isGivenUp(): boolean;
}

/** A little more than a service gives itself to finish what it has begun. */
const GRACE_MS = 28_000;

/** Starts the API or the worker in a process of its own; gives it once it says that it is ready. */
export async function startService(options: ServiceOptions): Promise<GuardedProcess> {
  const { name, script, env, dataDir } = options;
  const logFile = path.join(dataDir, 'logs', `${name}.log`);
  const service = await startGuarded({
    name,
    command: process.execPath,
    args: [script],
    env,
    cwd: root,
    logFile,
    pidFile: path.join(runningFolder(dataDir), name),
    graceMs: GRACE_MS,
  });
  try {
    await ready(service, options);
    return service;
  } catch (error) {
    await service.kill();
    throw error;
  }
}

async function ready(service: GuardedProcess, options: ServiceOptions): Promise<void> {
  const { name, opsPort } = options;
  let hasEnded = false;
  void service.exited.then(() => (hasEnded = true));
  const ask = async () => {
    const url = `http://127.0.0.1:${opsPort}/readyz`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(5000) });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const abandon = () => {
    if (hasEnded) return `The ${name} ended while starting:\n${lastLines(service.logFile, 20)}`;
    return options.isGivenUp() ? `The start of the ${name} was given up.` : undefined;
  };
  const what = `The ${name} (log: ${service.logFile})`;
  await waitUntil(ask, { what, everyMs: 50, abandon });
}
