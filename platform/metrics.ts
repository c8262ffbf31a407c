import { collectDefaultMetrics, Gauge, register, Registry } from 'prom-client';
import type { Sql } from '../store/db/database.ts';
import { readState, stateNumbers } from '../store/leads/work-states.ts';
import type { Reading, StateNumber } from '../store/leads/work-states.ts';

const SCRAPE_TIMEOUT_MS = 3000;

export interface Metrics {
  contentType: string;
  /** What this process counted, and the state of the service as its database has it. */
  text(): Promise<string>;
}

export function createMetrics(sql: Sql): Metrics {
  collectOnce();
  const states = new Registry();
  const isUp = new Gauge({
    name: 'database_up',
    help: 'Whether the database answered this scrape.',
    registers: [states],
  });
  const gauges = stateNumbers.map((state) => ({ state, gauge: gaugeOf(state, states) }));

  async function refresh(): Promise<void> {
    for (const { gauge } of gauges) gauge.reset();
    const readings = await inTime(Promise.all(stateNumbers.map((state) => readState(sql, state))));
    isUp.set(readings ? 1 : 0);
    gauges.forEach(({ state, gauge }, index) => show(gauge, state, readings?.[index] ?? []));
  }

  return {
    contentType: register.contentType,
    async text() {
      await refresh();
      return `${await register.metrics()}\n${await states.metrics()}`;
    },
  };
}

function gaugeOf({ name, help, label }: StateNumber, states: Registry): Gauge {
  return new Gauge({ name, help, labelNames: label ? [label] : [], registers: [states] });
}

function show(gauge: Gauge, { label }: StateNumber, readings: readonly Reading[]): void {
  for (const reading of readings) {
    gauge.set(label ? { [label]: reading.label ?? '' } : {}, reading.value);
  }
}

/** Null when the database fails or takes too long: the numbers of the process itself come all the same. */
async function inTime<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SCRAPE_TIMEOUT_MS);
  });
  return Promise.race([work.catch(() => null), late]).finally(() => clearTimeout(timer));
}

let isCollecting = false;

/** The metrics of the process itself can be registered only once. */
function collectOnce(): void {
  if (!isCollecting) collectDefaultMetrics();
  isCollecting = true;
}
