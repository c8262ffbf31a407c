import { freshSince, isFresh } from '../domain/dncr/registry-answer.ts';
import { hashNumber, readNumber } from '../domain/dncr/number.ts';
import { purgeCache } from '../store/dncr/purge-cache.ts';
import { readAnswer, readChecksOf, readStats } from '../store/dncr/read-history.ts';
import { ageMs, atLeastOne } from './arguments.ts';
import { OperatorError, type CommandGroup, type Operator } from './operator.ts';
import { numberText, purgeText, statsText } from './views/dncr.ts';

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
    .action(run(purge));
};

async function showNumber(
  operator: Operator,
  input: string,
  { limit }: { limit: number },
): Promise<void> {
  const reading = readNumber(input);
  if (reading.kind === 'invalid') throw new OperatorError(reading.error);
  const { phone } = reading.number;
  const database = await operator.database();
  const answer = await readAnswer(database, phone);
  const checks = await readChecksOf(database, hashNumber(phone, operator.config.secretsKey), limit);
  const cached = answer && { ...answer, isFresh: isFresh(answer.checkedAt, operator.now()) };
  operator.show({ phone, answer: cached, checks }, numberText);
}

async function showStats(operator: Operator): Promise<void> {
  const now = operator.now();
  const times = { now, freshSince: freshSince(now), since: freshSince(now, 1) };
  operator.show(await readStats(await operator.database(), times), statsText);
}

async function purge(operator: Operator, { olderThan }: { olderThan?: number }): Promise<void> {
  const now = operator.now();
  const purged = await purgeCache(await operator.database(), {
    now,
    ...(olderThan === undefined ? {} : { givenUntil: new Date(now.getTime() - olderThan) }),
  });
  operator.show(purged, purgeText);
}
