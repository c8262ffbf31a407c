import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

const SCRAPE_TIMEOUT_MS = 2000;

/** The SDK's runtime with our log; returns the reader of the SDK's own metrics as Prometheus text. */
export async function installTemporalRuntime(log: Logger): Promise<() => Promise<string>> {
  const bindAddress = `127.0.0.1:${await findFreePort()}`;
  Runtime.install({
    shutdownSignals: [],
    logger: createTemporalLogger(log),
    telemetryOptions: { metrics: { prometheus: { bindAddress } } },
  });
  return () => scrape(`http://${bindAddress}/metrics`);
}

/** Attributes of a log line that hold ids only. Others may quote inputs, results or the error of an activity. */
const SAFE_ATTRIBUTES = [
  ...['workflowId', 'activityType', 'attempt'],
  ...['endpointId', 'eventId', 'oauthClientId', 'reason'],
];

/** Lines of activities and of the SDK, WARN and ERROR, as lines of the worker. */
export function createTemporalLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta = {} }) => {
    const isOfActivity = meta.sdkComponent === 'activity';
    const safe = Object.entries(meta).filter(([name]) => SAFE_ATTRIBUTES.includes(name));
    const attributes = isOfActivity ? Object.fromEntries(safe) : { from: 'temporal' };
    log[level === 'ERROR' ? 'error' : 'warn'](attributes, message);
  });
}

/** The exporter reports no port of its own choice, so a free one is looked up first. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** Empty while the exporter does not respond: the metrics of the process are worth more than none. */
async function scrape(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS) });
    return await response.text();
  } catch {
    return '';
  }
}
