import type { PurgedDncr } from '../../store/dncr/purge-cache.ts';
import type { CachedAnswer, CheckRecord, DncrStats } from '../../store/dncr/read-history.ts';
import { count, fieldLines, tableText, timeText } from '../text.ts';

export interface NumberView {
  phone: string;
  answer: (CachedAnswer & { isFresh: boolean }) | null;
  checks: CheckRecord[];
}

export function numberText({ answer, checks }: NumberView): string {
  return [answer ? answerText(answer) : 'Not in the cache.', '', checksText(checks)].join('\n');
}

function answerText(answer: NonNullable<NumberView['answer']>): string {
  return fieldLines([
    ['status', answer.status],
    ['registry', answer.registryStatus ?? answer.dncrStatus],
    ['checked at', `${timeText(answer.checkedAt)}${answer.isFresh ? '' : ' (past its time)'}`],
    ['transaction', answer.transactionId],
  ]);
}

function checksText(checks: readonly CheckRecord[]): string {
  if (checks.length === 0) return 'No check asked about it.';
  return tableText(
    ['asked at', 'client', 'outcome', 'fresh', 'transaction', 'check'],
    checks.map((check) => [
      timeText(check.requestedAt),
      check.client,
      check.outcome,
      check.fresh ? 'yes' : 'no',
      check.transactionId ?? (check.outcome === 'answered' ? 'cache' : 'none'),
      check.id,
    ]),
  );
}

export function statsText({ cache, checks, claims }: DncrStats): string {
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

export function purgeText({ answers, numbers, claims }: PurgedDncr): string {
  return [
    `${count(answers, 'cached answer')} removed.`,
    `${count(numbers, 'number')} of ended checks and ${count(claims, 'leftover claim')} removed.`,
  ].join('\n');
}
