import { Option } from 'commander';
import { since, wholeNumber } from './arguments.ts';
import { loaded, type CommandGroup } from './operator.ts';

const versions = () => import('./rules/versions.ts');

const CHECKED_AGE = '30d';
const TRIED_AGE = '7d';
const SAMPLE_SIZE = 3;

const sinceOption = (age: string) =>
  new Option('--since <age>', 'such as 30d, 12h or 90m').argParser(since).default(since(age), age);

export const rulesCommands: CommandGroup = (program, run) => {
  const rules = program.command('rules').description('The routing rules, in versions.');
  rules
    .command('show')
    .description('The active rules in words, or those of a version.')
    .option('--version <number>', 'another version than the active one', wholeNumber)
    .action(run(loaded(async () => (await versions()).showRules)));
  rules
    .command('versions')
    .alias('list')
    .description('All versions, who made and activated them, and when.')
    .action(run(loaded(async () => (await versions()).listVersions)));
  rules
    .command('activate')
    .description(
      'Route by a version from the next decision on; an earlier one rolls back. Leads that wait keep the end of their wait.',
    )
    .argument('<version>', 'as in rules versions', wholeNumber)
    .option('--yes', 'without a question', false)
    .action(run(loaded(async () => (await versions()).activateVersion)));
  rules
    .command('diff')
    .description('What a dataset file or a version would change in the active rules.')
    .argument('<file|version>', 'a JSON dataset with a section rules, or as in rules versions')
    .action(run(loaded(async () => (await import('./rules/rules-file.ts')).diffRules)));
  rules
    .command('check')
    .description('Make past decisions again from what was kept; fails when any differs.')
    .addOption(sinceOption(CHECKED_AGE))
    .action(run(loaded(async () => (await import('./rules/past-decisions.ts')).checkDecisions)));
  rules
    .command('try')
    .description('What the rules of a dataset file would have done with past leads.')
    .argument('<file>', 'a JSON dataset with a section rules')
    .addOption(sinceOption(TRIED_AGE))
    .option('--sample <leads>', 'how many leads to explain both ways', wholeNumber, SAMPLE_SIZE)
    .action(run(loaded(async () => (await import('./rules/past-decisions.ts')).tryRules)));
  rules
    .command('lint')
    .description('Warn of what is certainly wrong with the rules of a dataset file.')
    .argument('<file>', 'a JSON dataset with a section rules; its agents, teams and places count')
    .option('--strict', 'fail where there is a warning', false)
    .action(run(loaded(async () => (await import('./rules/lint.ts')).lintFile)));
};
