import { OperatorError } from '../operator.ts';

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** By itself `Date.parse` takes a bare number for a month: whoever means hours would reach back for years. */
const TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

/** `90m`, `12h`, `7d` back from now, or a time. */
export function sinceFrom(text: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (UNIT_MS[unit] ?? 0));
  const at = TIME.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(at)) return new Date(at);
  throw new OperatorError(`${text} is no time: say 30m, 12h, 7d, or 2026-11-01T08:00Z.`);
}
