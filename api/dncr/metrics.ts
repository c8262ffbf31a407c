import { Counter } from 'prom-client';
import type { ResultRow } from '../../domain/dncr/result.ts';

const numbers = new Counter({
  name: 'dncr_numbers_total',
  help: 'Numbers of Do Not Call checks, by status and by where the answer came from.',
  labelNames: ['status', 'source'] as const,
});

const checks = new Counter({
  name: 'dncr_checks_total',
  help: 'Do Not Call checks, by what came of them.',
  labelNames: ['outcome'] as const,
});

export function countCompletedCheck(rows: readonly ResultRow[]): void {
  checks.inc({ outcome: 'answered' });
  for (const { status, source } of rows) numbers.inc({ status, source: source ?? 'none' });
}

export function countFailedCheck(): void {
  checks.inc({ outcome: 'failed' });
}
