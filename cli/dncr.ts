import { freshSince, isFresh } from '../domain/dncr/answer-cache.ts';
import { hashNumber, readNumber } from '../domain/dncr/number.ts';
import {
  readAnswer,
  readChecksOf,
  readStats,
  type CachedAnswer,
  type CheckRecord,
  type DncrStats,
} from '../store/dncr/checks.ts';
import { DNCR_CACHE_AGES, purge } from '../store/maintenance/retention.ts';
import { ageMs, atLeastOne } from './arguments.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import { tableOf, tableText } from './table.ts';
import { count, cutNote, fieldLines, timeText } from './text.ts';

export const dncrCommands: CommandGroup = (program, run) => {
  const dncr = program
    .command('dncr')
    .description('The Do Not Call cache and the record of checks.');
  dncr
    .command('show')
    .argument('<number>', 'a UAE mobile number in any of its forms')
    .description('What the cache holds of a number, and who asked about it.')
    .option('--limit <checks>', 'how many checks, newest first', atLeastOne, 20)
    .action(run(showNumber));
  dncr
    .command('stats')
    .description('The cache, and the checks of the last 24 hours.')
    .action(run(showStats));
  dncr
    .command('purge')
    .description('Remove cached answers past their time; the records of checks stay.')
    .option('--older-than <age>', 'such as 90d; 0d empties the cache; 180d when left out', ageMs)
    .action(run(purgeCache));
};

async function showNumber(operator: Operator, input: string, { limit }: { limit: number }) {
  const reading = readNumber(input);
  if (reading.kind === 'invalid') throw new OperatorError(reading.error);
  const { phone } = reading.number;
  const database = await operator.database();
  const answer = await readAnswer(database, phone);
  const checks = await readChecksOf(database, hashNumber(phone, operator.config.secretsKey), limit);
  const cached = answer && { ...answer, isFresh: isFresh(answer.checkedAt, operator.now()) };
  const view = { phone, answer: cached, checks: checks.rows };
  const note = cutNote(checks, 'check');
  operator.show(
    view,
    (shown) => `${answerText(shown.answer)}\n\n${checksText(shown.checks)}`,
    note,
  );
}

function answerText(answer: (CachedAnswer & { isFresh: boolean }) | null): string {
  if (!answer) return 'Not in the cache.';
  return fieldLines([
    ['status', answer.status],
    ['registry', answer.registryStatus ?? answer.dncrStatus],
    ['checked at', `${timeText(answer.checkedAt)}${answer.isFresh ? '' : ' (past its time)'}`],
    ['transaction', answer.transactionId],
  ]);
}

const checksText = tableOf<CheckRecord>(
  {
    'asked at': 'requestedAt',
    client: 'client',
    outcome: 'outcome',
    fresh: 'fresh',
    transaction: (check) =>
      check.transactionId ?? (check.outcome === 'answered' ? 'cache' : 'none'),
    check: 'id',
  },
  'No check asked about it.',
);

async function showStats(operator: Operator) {
  const now = operator.now();
  const times = { now, freshSince: freshSince(now), since: freshSince(now, 1) };
  operator.show(await readStats(await operator.database(), times), statsText);
}

function statsText({ cache, checks, leases }: DncrStats): string {
  return tableText(
    ['', 'count'],
    [
      ['cached answers', cache.fresh],
      ['cached answers past their time', cache.expired],
      ['oldest cached answer', cache.oldest],
      ['newest cached answer', cache.newest],
      ['numbers being asked for now', leases],
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

async function purgeCache(operator: Operator, { olderThan }: { olderThan?: number }) {
  const given = olderThan !== undefined && { dncrAnswersMs: olderThan };
  const ages = { ...DNCR_CACHE_AGES, ...given };
  const purged = await purge(await operator.database(), ages, operator.now());
  const { dncrAnswers = 0, dncrNumbers = 0, dncrLeases = 0 } = purged;
  const figures = { answers: dncrAnswers, numbers: dncrNumbers, leases: dncrLeases };
  operator.show(figures, ({ answers, numbers, leases }) =>
    [
      `${count(answers, 'cached answer')} removed.`,
      `${count(numbers, 'number')} of ended checks and ${count(leases, 'leftover lease')} removed.`,
    ].join('\n'),
  );
}
