import { randomUUID } from 'node:crypto';

/**
 * A UUID of version 7: 48 bits of time, then 74 random ones. New rows lie side by side in every index on an
 * id; with random ids each would go to a page of its own, which Postgres then writes whole to its log.
 */
export function newUuid(now: Date): string {
  const ms = now.getTime().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${randomUUID().slice(15)}`;
}
