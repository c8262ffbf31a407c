import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from './ports.ts';
import { startSupervised, waitUntilReady } from './process/supervised.ts';

interface TemporalOptions {
  binary: string;
  dataDir: string;
  /** Each is any free port unless it is given. */
  port?: number;
  uiPort?: number;
  httpPort?: number;
  namespace?: string;
  logFile?: string;
  pidFile?: string | undefined;
  /** In addition to the settings that make it fast. */
  dynamicConfig?: Record<string, string>;
}

export type Temporal = Awaited<ReturnType<typeof startTemporal>>;

/** Starts a Temporal server with its Web UI on loopback, and waits until it serves the namespace. */
export async function startTemporal(options: TemporalOptions) {
  const { binary, namespace = 'default' } = options;
  const dataDir = path.resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const {
    port = await freePort(),
    uiPort = await freePort(),
    httpPort = await freePort(),
    logFile = path.join(dataDir, 'temporal.log'),
  } = options;
  const server = await startSupervised({
    name: 'temporal',
    command: binary,
    args: serverArguments(
      namespace,
      { port, 'http-port': httpPort, 'ui-port': uiPort },
      { ...DYNAMIC_CONFIG, ...options.dynamicConfig },
    ),
    // No HOME: the CLI would read the user's own profiles.
    env: { PATH: '/usr/bin:/bin', TZ: 'UTC' },
    logFile,
    pidFile: options.pidFile,
    cwd: dataDir,
  });
  const url = `http://127.0.0.1:${httpPort}/api/v1/namespaces/${namespace}`;
  const checkNamespace = async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  };
  await waitUntilReady(server, checkNamespace, { what: 'Temporal' });
  return {
    ...server,
    address: `127.0.0.1:${port}`,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    port,
    uiPort,
    checkNamespace,
  };
}

// The development server polls by default its queues 20 times a second: a workflow of four activities
// then takes 450 ms, with these settings 59 ms.
const DYNAMIC_CONFIG = {
  // One partition per task queue: any poll finds any task.
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  'history.transferProcessorMaxPollRPS': '2000',
  'history.timerProcessorMaxPollRPS': '500',
  'system.enableActivityEagerExecution': 'true',
  'frontend.enableUpdateWorkflowExecution': 'true',
  'frontend.enableUpdateWorkflowExecutionAsyncAccepted': 'true',
  'frontend.enableServerVersionCheck': 'false',
};
// Relative to the working directory: in a path the CLI would parse `?`, `#` and `%` as parts of a URL.
const DATABASE_FILE = 'temporal.db';
const SQLITE_PRAGMAS = { journal_mode: 'wal', synchronous: 'normal' };

function serverArguments(
  namespace: string,
  ports: Record<string, number>,
  dynamicConfig: Record<string, string>,
): string[] {
  const repeated = (option: string, values: Record<string, string>) =>
    Object.entries(values).flatMap((pair) => [option, pair.join('=')]);
  return [
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--namespace=${namespace}`,
    '--log-level=error',
    '--log-format=json',
    `--db-filename=${DATABASE_FILE}`,
    ...Object.entries(ports).flatMap(([name, port]) => [`--${name}`, String(port)]),
    ...repeated('--dynamic-config-value', dynamicConfig),
    ...repeated('--sqlite-pragma', SQLITE_PRAGMAS),
  ];
}
