import { Option } from 'commander';
import type { Command } from 'commander';
import { ageMs, wholeNumber } from './arguments.ts';
import type { CommandGroup, Run } from './operator.ts';
import { activateVersion } from './rules/activate.ts';
import { checkDecisions } from './rules/check.ts';
import { showRules } from './rules/show.ts';
import { tryRules } from './rules/try.ts';
import { listVersions } from './rules/versions.ts';

export const rulesCommands: CommandGroup = (program, run) => {
  const rules = program.command('rules').description('The routing rules, in versions.');
  versions(rules, run);
  questions(rules, run);
};

function versions(rules: Command, run: Run): void {
  rules
    .command('show')
    .description('The active rules in words, or those of a version.')
    .option('--version <number>', 'another version than the active one', wholeNumber)
    .action(run(showRules));
  rules
    .command('versions')
    .alias('list')
    .description('All versions, who made and activated them, and when.')
    .action(run(listVersions));
  rules
    .command('activate')
    .description('Route by a version from the next decision on; an earlier one rolls back.')
    .argument('<version>', 'as in rules versions', wholeNumber)
    .action(run(activateVersion));
}

const MONTH = '30d';
const WEEK = '7d';
const SAMPLE = 3;

const since = (age: string) =>
  new Option('--since <age>', 'such as 30d, 12h or 90m').argParser(ageMs).default(ageMs(age), age);

function questions(rules: Command, run: Run): void {
  rules
    .command('check')
    .description('Make past decisions again from what was kept; fails when any differs.')
    .addOption(since(MONTH))
    .action(run(checkDecisions));
  rules
    .command('try')
    .description('What the rules of a dataset file would have done with past leads.')
    .argument('<file>', 'a JSON dataset with a section rules')
    .addOption(since(WEEK))
    .option('--sample <leads>', 'how many leads to explain both ways', wholeNumber, SAMPLE)
    .action(run(tryRules));
}
