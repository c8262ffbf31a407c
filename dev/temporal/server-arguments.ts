import path from 'node:path';

export interface ServerPlace {
  port: number;
  uiPort: number;
  httpPort: number;
  namespace: string;
  /** Null keeps everything in memory, without a Web UI. */
  dataDir: string | null;
}

// By default the development server looks at its queues 20 times a second, which makes a workflow
// of four activities take 450 ms; with these it takes 59.
const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': '2000',
  'history.timerProcessorMaxPollRPS': '500',
  'system.enableActivityEagerExecution': 'true',
  'frontend.enableUpdateWorkflowExecution': 'true',
  'frontend.enableUpdateWorkflowExecutionAsyncAccepted': 'true',
  'frontend.enableServerVersionCheck': 'false',
};
const SQLITE = { journal_mode: 'wal', synchronous: 'normal' };

/** The arguments of the Temporal CLI. */
export function serverArguments({
  port,
  uiPort,
  httpPort,
  namespace,
  dataDir,
}: ServerPlace): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--namespace', namespace],
    ...['--port', String(port), '--http-port', String(httpPort)],
    ...['--log-level', 'error', '--log-format', 'json'],
    ...Object.entries(DYNAMIC_CONFIG).flatMap((pair) => ['--dynamic-config-value', pair.join('=')]),
    ...(dataDir === null ? ['--headless'] : onDisk(dataDir, uiPort)),
  ];
}

function onDisk(dataDir: string, uiPort: number): string[] {
  return [
    ...['--ui-port', String(uiPort), '--db-filename', path.join(dataDir, 'temporal.db')],
    ...Object.entries(SQLITE).flatMap((pair) => ['--sqlite-pragma', pair.join('=')]),
  ];
}
