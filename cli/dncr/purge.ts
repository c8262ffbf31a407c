import { purgeCache } from '../../store/dncr/purge-cache.ts';
import type { Operator } from '../operator.ts';
import { count } from '../text.ts';

export async function purge(operator: Operator, olderThanMs?: number): Promise<void> {
  const now = operator.now();
  const purged = await purgeCache(await operator.database(), {
    now,
    ...(olderThanMs === undefined ? {} : { givenUntil: new Date(now.getTime() - olderThanMs) }),
  });
  operator.show(purged, ({ answers, numbers, claims }) =>
    [
      `${count(answers, 'cached answer')} removed.`,
      `${count(numbers, 'number')} of ended checks and ${count(claims, 'leftover claim')} removed.`,
    ].join('\n'),
  );
}
