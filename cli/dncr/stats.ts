import { freshSince } from '../../domain/dncr/cache-lifetime.ts';
import { readStats } from '../../store/dncr/read-stats.ts';
import type { DncrStats } from '../../store/dncr/read-stats.ts';
import { tableText } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { timeText } from '../text.ts';

export async function showStats(operator: Operator): Promise<void> {
  const now = operator.now();
  const times = { now, freshSince: freshSince(now), since: freshSince(now, 1) };
  operator.show(await readStats(await operator.database(), times), asText);
}

function asText({ cache, checks, claims }: DncrStats): string {
  return tableText(
    ['', 'count'],
    [
      ['cached answers', cache.fresh],
      ['cached answers past their time', cache.expired],
      ['oldest cached answer', timeText(cache.oldest)],
      ['newest cached answer', timeText(cache.newest)],
      ['numbers being asked for now', claims],
      ['checks answered in 24 h', checks.answered],
      ['checks failed in 24 h', checks.failed],
      ['checks not ended of 24 h', checks.open],
      ['numbers from the cache', checks.fromCache],
      ['numbers from the registry', checks.fromRegistry],
      ['registered', checks.registered],
      ['not registered', checks.notRegistered],
      ['not found', checks.notFound],
      ['unavailable', checks.unavailable],
      ['invalid', checks.invalid],
    ],
  );
}
