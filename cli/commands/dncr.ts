import { ageMs, atLeastOne } from '../arguments.ts';
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
    .option('--limit <checks>', 'how many checks, newest first', atLeastOne, 20)
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
    .option('--older-than <age>', 'such as 90d; 0d empties the cache; 180d when left out', ageMs)
    .action((options: { olderThan?: number }) =>
      run((operator) => purge(operator, options.olderThan)),
    );
};
