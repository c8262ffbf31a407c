import { InvalidArgumentError } from 'commander';
import { CACHE_TTL_DAYS } from '../../../domain/dncr/cache-lifetime.ts';
import { showNumber } from '../dncr/show.ts';
import { purge } from '../dncr/purge.ts';
import { showStats } from '../dncr/stats.ts';
import type { CommandGroup } from '../main.ts';

export const dncrCommands: CommandGroup = (program, run) => {
  const dncr = program
    .command('dncr')
    .description('The Do Not Call cache and the record of checks.');
  dncr
    .command('show')
    .argument('<number>', 'a UAE mobile number in any of its forms')
    .description('What the cache holds of a number, and who asked about it.')
    .option('--limit <checks>', 'how many checks, newest first', wholeNumber, 20)
    .action((number: string, options: { limit: number }) =>
      run((operator) => showNumber(operator, number, options.limit)),
    );
  dncr
    .command('stats')
    .description('The cache, and the checks of the last 24 hours.')
    .action(() => run(showStats));
  dncr
    .command('purge')
    .description('Remove cached answers past their time; the records of checks stay.')
    .option('--older-than <days>', 'age of the answers to remove', days, CACHE_TTL_DAYS)
    .action((options: { olderThan: number }) =>
      run((operator) => purge(operator, options.olderThan)),
    );
};

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number.');
}

/** `90` or `90d`; 0 empties the cache. */
function days(text: string): number {
  const digits = /^(\d{1,5}(?:\.\d+)?)d?$/.exec(text)?.[1];
  if (digits !== undefined) return Number(digits);
  throw new InvalidArgumentError('Give a number of days, such as 90.');
}
