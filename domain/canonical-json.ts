import { createHash } from 'node:crypto';

/** Sorts the keys of every object, so that equal content is equal text. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) => (isRecord(each) ? sortKeys(each) : each)) ??
    'null'
  );
}

export function contentHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
