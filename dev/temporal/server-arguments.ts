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
