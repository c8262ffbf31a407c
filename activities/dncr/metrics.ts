import { Counter, Histogram } from 'prom-client';
import { RegistryError } from './registry-http.ts';
import type { RegistryErrorKind } from './registry-http.ts';

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
export async function measureCall<T>(call: () => Promise<T>): Promise<T> {
  const stop = seconds.startTimer();
  let outcome: RegistryErrorKind | 'answered' | 'error' = 'error';
  try {
    const reply = await call();
    outcome = 'answered';
    return reply;
  } catch (error) {
    if (error instanceof RegistryError) outcome = error.kind;
    throw error;
  } finally {
    stop();
    calls.inc({ outcome });
  }
}
