import { purgeCache } from '../../../store/dncr/purge-cache.ts';
import type { Operator } from '../operator.ts';

export async function purge(operator: Operator, olderThanDays: number): Promise<void> {
  const database = await operator.database();
  const purged = await purgeCache(database, { now: operator.now(), olderThanDays });
  operator.show(purged, ({ answers, numbers, claims }) =>
    [
      `${answers} cached answers removed.`,
      `${numbers} numbers of ended checks and ${claims} leftover claims removed.`,
    ].join('\n'),
  );
}
