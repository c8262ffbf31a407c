import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import pTimeout from 'p-timeout';
import { collectDefaultMetrics, Gauge, register, Registry } from 'prom-client';

/** A slow probe counts as false too. */
export type Probe = () => Promise<boolean>;

export interface OperationsContext {
  /** The process is ready while all are true. `database` is a metric too. */
  required: Readonly<Record<string, Probe>> & { readonly database: Probe };
  /** Shown, but does not affect readiness. */
  reported: Readonly<Record<string, Probe>>;
  gauges: readonly StateGauge[];
  /** Metrics of a library, as Prometheus text. */
  readLibraryMetrics?: () => Promise<string>;
}

type OperationsResponse = ReturnType<typeof json>;

const PROBE_TIMEOUT_MS = 2500;

/** Integrators cannot reach its port. */
export function createOperationsServer(context: OperationsContext): Server {
  const readMetrics = createMetricsReader(context.gauges, context.required.database);
  const routes: Record<string, () => Promise<OperationsResponse>> = {
    '/healthz': async () => json(200, { status: 'ok' }),
    '/readyz': () => readReadiness(context),
    '/metrics': async () => {
      const pages = await Promise.all([readMetrics(), context.readLibraryMetrics?.()]);
      return { status: 200, type: register.contentType, body: pages.join('\n') };
    },
  };
  const notFound = async () => json(404, { status: 'not found' });
  return createServer((request, response) => {
    const handle = routes[request.url?.split('?')[0] ?? ''] ?? notFound;
    void handle()
      .catch(() => json(500, { status: 'failed' }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
      });
  });
}

async function readReadiness({ required, reported }: OperationsContext) {
  const [needed, shown] = await Promise.all([runProbes(required), runProbes(reported)]);
  const isReady = Object.values(needed).every(Boolean);
  return json(isReady ? 200 : 503, { ready: isReady, ...needed, ...shown });
}

async function runProbes(probes: Readonly<Record<string, Probe>>) {
  const results = Object.entries(probes).map(async ([name, probe]) => [name, await run(probe)]);
  return Object.fromEntries(await Promise.all(results)) as Record<string, boolean>;
}

function run(probe: Probe): Promise<boolean> {
  const options = { milliseconds: PROBE_TIMEOUT_MS, fallback: () => false };
  return pTimeout(probe(), options).catch(() => false);
}

function json(status: number, body: object) {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/** With the default of 511, the kernel drops connections during a burst from one caller. */
const BACKLOG = 4096;

export async function listen(server: Server, port: number, host: string): Promise<void> {
  await once(server.listen(port, host, BACKLOG), 'listening');
}

export async function closeOperations(server: Server): Promise<void> {
  server.close().closeAllConnections();
  await once(server, 'close');
}

const SCRAPE_TIMEOUT_MS = 3000;

/** A gauge of the whole service, read from the database at each scrape. */
export interface StateGauge {
  name: string;
  help: string;
  label?: string;
  read(): Promise<StateReading[]>;
}

export interface StateReading {
  label?: string;
  value: number;
}

// prom-client registers the metrics of a process only once.
collectDefaultMetrics();

function createMetricsReader(states: readonly StateGauge[], isDatabaseUp: Probe) {
  const registry = new Registry();
  const registers = [registry];
  const help = 'Whether the database answered this scrape and takes writes.';
  const isUp = new Gauge({ name: 'database_up', help, registers });
  const gauges = states.map(({ name, help, label }) => {
    return new Gauge({ name, help, labelNames: label ? [label] : [], registers });
  });

  return async () => {
    const [readings, takesWrites] = await Promise.all([readStates(states), run(isDatabaseUp)]);
    isUp.set(readings && takesWrites ? 1 : 0);
    for (const [index, gauge] of gauges.entries()) {
      gauge.reset();
      const label = states[index]?.label;
      for (const reading of readings?.[index] ?? [])
        gauge.set(label ? { [label]: reading.label ?? '' } : {}, reading.value);
    }
    return `${await register.metrics()}\n${await registry.metrics()}`;
  };
}

/** Null if the database is slow or fails, so that the metrics of the process are still shown. */
function readStates(states: readonly StateGauge[]): Promise<StateReading[][] | null> {
  return pTimeout(Promise.all(states.map((state) => state.read())), {
    milliseconds: SCRAPE_TIMEOUT_MS,
  }).catch(() => null);
}
