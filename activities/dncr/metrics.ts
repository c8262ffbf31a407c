import { Counter, Histogram } from 'prom-client';
import { RegistryError } from './registry-error.ts';
import type { RegistryFault } from './registry-error.ts';

const calls = new Counter({
  name: 'dncr_registry_calls_total',
  help: 'Calls of the Do Not Call registry, by what came of them.',
  labelNames: ['outcome'] as const,
});

const seconds = new Histogram({
  name: 'dncr_registry_call_seconds',
  help: 'How long a call of the registry took, token included.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Runs one call and counts it. */
export async function observeCall<T>(call: () => Promise<T>): Promise<T> {
  const stop = seconds.startTimer();
  let outcome: RegistryFault | 'answered' | 'error' = 'error';
  try {
    const reply = await call();
    outcome = 'answered';
    return reply;
  } catch (error) {
    if (error instanceof RegistryError) outcome = error.fault;
    throw error;
  } finally {
    stop();
    calls.inc({ outcome });
  }
}
