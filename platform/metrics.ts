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

// The metrics of this process, which prom-client registers only once.
collectDefaultMetrics();

export function createMetrics(states: readonly StateGauge[]) {
  const registry = new Registry();
  const registers = [registry];
  const help = 'Whether the database answered this scrape.';
  const isUp = new Gauge({ name: 'database_up', help, registers });
  const gauges = states.map(({ name, help, label }) => {
    return new Gauge({ name, help, labelNames: label ? [label] : [], registers });
  });

  async function refresh(): Promise<void> {
    const readings = await readStates(states);
    isUp.set(readings ? 1 : 0);
    for (const [index, gauge] of gauges.entries()) {
      gauge.reset();
      const label = states[index]?.label;
      for (const reading of readings?.[index] ?? [])
        gauge.set(label ? { [label]: reading.label ?? '' } : {}, reading.value);
    }
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
