import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

const SCRAPE_TIMEOUT_MS = 2000;
const TRIES = 5;

/** Installs the SDK's runtime with our log. Returns a reader of the SDK's own metrics as Prometheus text. */
export async function installTemporalRuntime(
  log: Logger,
  findPort = findFreePort,
): Promise<() => Promise<string>> {
  for (let tried = 1; ; tried += 1) {
    const bindAddress = `127.0.0.1:${await findPort()}`;
    try {
      Runtime.install({
        shutdownSignals: [],
        logger: createTemporalLogger(log),
        telemetryOptions: {
          metrics: { prometheus: { bindAddress } },
          // Otherwise the SDK's core writes lines of its own form to the standard output.
          logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
        },
      });
      return () => scrape(`http://${bindAddress}/metrics`);
    } catch (error) {
      // Another process may take the port between the search for it and its use.
      if (tried === TRIES || !String(error).includes('in use')) throw error;
    }
  }
}

/** Attributes of log lines that hold ids only. Others may quote inputs, results or errors of activities. */
const IDS = ['workflowId', 'activityType', 'attempt', 'traceId'];
/** Attributes of the lines that activities write themselves. */
const OF_ACTIVITIES = [
  ...IDS,
  'endpointId',
  'eventId',
  'oauthClientId',
  'spanId',
  'status',
  'reason',
  'ms',
];

/** Logs lines of activities from INFO and lines of the SDK from WARN as the worker's own. */
export function createTemporalLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('INFO', ({ level, message, meta = {} }) => {
    const isOfActivity = meta.sdkComponent === 'activity';
    if (level === 'INFO' && !isOfActivity) return;
    const names = isOfActivity ? OF_ACTIVITIES : IDS;
    const safe = Object.fromEntries(Object.entries(meta).filter(([name]) => names.includes(name)));
    const attributes = isOfActivity ? safe : { from: 'temporal', ...safe };
    log[level.toLowerCase() as 'info' | 'warn' | 'error'](attributes, message);
  });
}

/** Looks up a free port first, since the exporter does not report one that it chose itself. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** Empty if the exporter does not respond, so that the metrics of the process are still served. */
async function scrape(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS) });
    return await response.text();
  } catch {
    return '';
  }
}
