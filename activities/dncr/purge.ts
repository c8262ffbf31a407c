import { purgeCache } from '../../store/dncr/purge-cache.ts';
import type { PurgedDncr } from '../../store/dncr/purge-cache.ts';
import type { ActivityContext } from '../context.ts';

/** For the housekeeping schedule; it runs also where no registry is configured any more. */
export function createPurgeDncrCache({ database, now }: Pick<ActivityContext, 'database' | 'now'>) {
  return {
    purgeDncrCache: (): Promise<PurgedDncr> => purgeCache(database, { now: now() }),
  };
}
