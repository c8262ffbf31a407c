import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

const SCRAPE_TIMEOUT_MS = 2000;
const TRIES = 5;

/** Returns a reader of the SDK's metrics as Prometheus text. */
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
          // By default, the SDK's core writes lines of another form to the standard output.
          logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
        },
      });
      return () => scrape(`http://${bindAddress}/metrics`);
    } catch (error) {
      // Another process may have taken the port since the search.
      if (tried === TRIES || !String(error).includes('in use')) throw error;
    }
  }
}

/** Contain ids only. Others may quote inputs, results or errors of activities. */
const IDS = ['workflowId', 'activityType', 'attempt', 'traceId'];
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

/** The exporter does not report a port that it chose itself. */
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
