import pTimeout from 'p-timeout';
import { collectDefaultMetrics, Gauge, register, Registry } from 'prom-client';

const SCRAPE_TIMEOUT_MS = 3000;

/** A number of the whole service, read from the database at each scrape. */
export interface StateGauge {
  name: string;
  help: string;
  /** The name of the label, where there is one reading per value of it. */
  label?: string;
  read(): Promise<StateReading[]>;
}

export interface StateReading {
  label?: string;
  value: number;
}

export function createMetrics(states: readonly StateGauge[]) {
  collectProcessMetrics();
  const registry = new Registry();
  const isUp = new Gauge({
    name: 'database_up',
    help: 'Whether the database answered this scrape.',
    registers: [registry],
  });
  const gauges = states.map((state) => createGauge(state, registry));

  async function refresh(): Promise<void> {
    const readings = await readStates(states);
    isUp.set(readings ? 1 : 0);
    gauges.forEach((gauge, index) => {
      gauge.reset();
      setReadings(gauge, states[index]?.label, readings?.[index] ?? []);
    });
  }

  return {
    contentType: register.contentType,
    /** The counters of this process and the gauges of the whole service. */
    async text(): Promise<string> {
      await refresh();
      return `${await register.metrics()}\n${await registry.metrics()}`;
    },
  };
}

/** Null when the database fails or takes too long; the metrics of the process are shown even then. */
function readStates(states: readonly StateGauge[]): Promise<StateReading[][] | null> {
  return pTimeout(Promise.all(states.map((state) => state.read())), {
    milliseconds: SCRAPE_TIMEOUT_MS,
  }).catch(() => null);
}

function createGauge({ name, help, label }: StateGauge, registry: Registry): Gauge {
  return new Gauge({ name, help, labelNames: label ? [label] : [], registers: [registry] });
}

function setReadings(gauge: Gauge, label: string | undefined, readings: readonly StateReading[]) {
  for (const reading of readings) {
    gauge.set(label ? { [label]: reading.label ?? '' } : {}, reading.value);
  }
}

let isCollecting = false;

/** prom-client accepts the registration of the process's own metrics only once. */
function collectProcessMetrics(): void {
  if (!isCollecting) collectDefaultMetrics();
  isCollecting = true;
}
