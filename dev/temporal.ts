import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from './ports.ts';
import { lastLines } from './process/log-file.ts';
import { startSupervised } from './process/supervised.ts';
import type { SupervisedProcess } from './process/supervised.ts';
import { waitUntil } from './wait-until.ts';

export interface TemporalOptions {
  /** The Temporal CLI, as `locateTemporal` finds it. */
  binary: string;
  dataDir: string;
  /** Any free ports when they are not given, or taken. */
  port?: number;
  uiPort?: number;
  namespace?: string;
  logFile?: string;
  pidFile?: string;
}

export interface Temporal {
  address: string;
  uiUrl: string;
  port: number;
  uiPort: number;
  process: SupervisedProcess;
  /**
   * Whether it refuses every call: a query that ran into its time limit, as on a machine that is busy
   * or froze, may leave its database "interrupted" until the server ends. What it holds is on disk.
   */
  isStuck(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts a Temporal server on loopback, with its Web UI, and waits until it serves the namespace. */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const { binary, namespace = 'default' } = options;
  const dataDir = path.resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const port = await freePort(options.port);
  const uiPort = await freePort(options.uiPort);
  const httpPort = await freePort();
  const server = await startSupervised({
    name: 'temporal',
    command: binary,
    args: serverArguments({ port, uiPort, httpPort, namespace }),
    // No HOME: the CLI would read the user's own profiles.
    env: { PATH: '/usr/bin:/bin', TZ: 'UTC' },
    logFile: options.logFile ?? path.join(dataDir, 'temporal.log'),
    ...(options.pidFile && { pidFile: options.pidFile }),
    cwd: dataDir,
  });
  const namespaceUrl = `http://127.0.0.1:${httpPort}/api/v1/namespaces/${namespace}`;
  await served(server, namespaceUrl).catch(async (error: unknown) => {
    await server.kill();
    throw error;
  });
  return {
    address: `127.0.0.1:${port}`,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    port,
    uiPort,
    process: server,
    isStuck: () => isInterrupted(namespaceUrl).catch(() => false),
    stop: async () => void (await server.stop()),
  };
}

async function served(server: SupervisedProcess, namespaceUrl: string): Promise<void> {
  let hasEnded = false;
  void server.exited.then(() => (hasEnded = true));
  const ask = async () => {
    const answer = await fetch(namespaceUrl, { signal: AbortSignal.timeout(5000) });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
  };
  const ended = () =>
    hasEnded ? `Temporal ended while starting:\n${lastLines(server.logFile, 10)}` : undefined;
  await waitUntil(ask, { what: 'Temporal', everyMs: 50, abandon: ended });
}

async function isInterrupted(namespaceUrl: string): Promise<boolean> {
  const answer = await fetch(namespaceUrl, { signal: AbortSignal.timeout(5000) });
  return !answer.ok && (await answer.text()).includes('interrupted');
}

export interface ServerPlace {
  port: number;
  uiPort: number;
  httpPort: number;
  namespace: string;
}

// By default the development server looks at its queues 20 times a second, which makes a workflow
// of four activities take 450 ms; with these it takes 59.
const DYNAMIC_CONFIG = {
  // One partition per task queue: any poll finds any task, and none waits in a partition that nobody polls.
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  'history.transferProcessorMaxPollRPS': '2000',
  'history.timerProcessorMaxPollRPS': '500',
  'system.enableActivityEagerExecution': 'true',
  'frontend.enableUpdateWorkflowExecution': 'true',
  'frontend.enableUpdateWorkflowExecutionAsyncAccepted': 'true',
  'frontend.enableServerVersionCheck': 'false',
};
// In the folder that the server runs in: the CLI takes `?`, `#` and `%` of a path for those of an address.
const DATABASE_FILE = 'temporal.db';
const SQLITE = { journal_mode: 'wal', synchronous: 'normal' };

/** The arguments of the Temporal CLI. */
export function serverArguments({ port, uiPort, httpPort, namespace }: ServerPlace): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--namespace', namespace],
    ...['--port', String(port), '--http-port', String(httpPort)],
    ...['--log-level', 'error', '--log-format', 'json'],
    ...Object.entries(DYNAMIC_CONFIG).flatMap((pair) => ['--dynamic-config-value', pair.join('=')]),
    ...['--ui-port', String(uiPort), '--db-filename', DATABASE_FILE],
    ...Object.entries(SQLITE).flatMap((pair) => ['--sqlite-pragma', pair.join('=')]),
  ];
}
