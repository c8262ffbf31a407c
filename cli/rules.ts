import { Option, type Command } from 'commander';
import { differences } from '../domain/routing/recompute.ts';
import { findRuleLosses, withWaiting } from '../domain/routing/ruleset-losses.ts';
import { countEarlierWaits, countWaitsByRule } from '../store/leads/waits.ts';
import { readRecordNames } from '../store/routing/names.ts';
import {
  activateRuleset,
  createRulesetStore,
  readRulesetEntry,
  readRulesetVersions,
} from '../store/routing/rulesets.ts';
import { readDecisionsSince, readWaitsSince } from '../store/routing/stored-decisions.ts';
import { since, wholeNumber, type Since } from './arguments.ts';
import { confirm } from './confirm.ts';
import { loaded, OperatorError, type CommandGroup, type Operator, type Run } from './operator.ts';
import { findRuleset } from './rules/find-ruleset.ts';
import { count } from './text.ts';
import { checkText, rulesetText, versionsText, type CheckView } from './views/rules.ts';

export const rulesCommands: CommandGroup = (program, run) => {
  const rules = program.command('rules').description('The routing rules, in versions.');
  addVersionCommands(rules, run);
  addReplayCommands(rules, run);
};

function addVersionCommands(rules: Command, run: Run): void {
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
    .description(
      'Route by a version from the next decision on; an earlier one rolls back. Leads that wait keep the end of their wait.',
    )
    .argument('<version>', 'as in rules versions', wholeNumber)
    .option('--yes', 'without a question', false)
    .action(run(activateVersion));
  rules
    .command('diff')
    .description('What a dataset file or a version would change in the active rules.')
    .argument('<file|version>', 'a JSON dataset with a section rules, or as in rules versions')
    .action(run(loaded(async () => (await import('./rules/diff.ts')).diffRules)));
}

const CHECKED_AGE = '30d';
const TRIED_AGE = '7d';
const SAMPLE_SIZE = 3;

const sinceOption = (age: string) =>
  new Option('--since <age>', 'such as 30d, 12h or 90m').argParser(since).default(since(age), age);

function addReplayCommands(rules: Command, run: Run): void {
  rules
    .command('check')
    .description('Make past decisions again from what was kept; fails when any differs.')
    .addOption(sinceOption(CHECKED_AGE))
    .action(run(checkDecisions));
  rules
    .command('try')
    .description('What the rules of a dataset file would have done with past leads.')
    .argument('<file>', 'a JSON dataset with a section rules')
    .addOption(sinceOption(TRIED_AGE))
    .option('--sample <leads>', 'how many leads to explain both ways', wholeNumber, SAMPLE_SIZE)
    .action(run(loaded(async () => (await import('./rules/try.ts')).tryRules)));
  rules
    .command('lint')
    .description('Warn of what is certainly wrong with the rules of a dataset file.')
    .argument('<file>', 'a JSON dataset with a section rules; its agents, teams and places count')
    .addOption(sinceOption(CHECKED_AGE))
    .option('--strict', 'fail where there is a warning', false)
    .action(run(loaded(async () => (await import('./rules/lint.ts')).lintFile)));
}

async function showRules(operator: Operator, { version }: { version?: number }) {
  const ruleset = await findRuleset(operator, version);
  const names = await readRecordNames(await operator.database(), ruleset.rules);
  operator.show({ ...ruleset, names: Object.fromEntries(names) }, (shown) =>
    rulesetText(shown, new Map(Object.entries(shown.names))),
  );
}

async function listVersions(operator: Operator) {
  operator.show(await readRulesetVersions(await operator.database()), versionsText);
}

/** Applies from the next decision on; past decisions keep their version. */
async function activateVersion(operator: Operator, version: number, options: { yes: boolean }) {
  const { rules } = await findRuleset(operator, version);
  const database = await operator.database();
  const active = await readRulesetEntry(database);
  const found = findRuleLosses(active?.rules ?? [], rules);
  const losses = withWaiting(found, await countWaitsByRule(database));
  const undo =
    active && active.version !== version ? `leadctl rules activate ${active.version}` : null;
  const { ruleLossText } = await import('./views/import.ts');
  if (losses.length > 0)
    await confirm(operator, losses.map(ruleLossText), options, `${undo} takes it back`);
  const { author } = operator;
  const changed = await activateRuleset(database, { version, author, now: operator.now() });
  operator.show({ version, rules: rules.length, changed, undo }, () =>
    changed
      ? `Ruleset ${version} with ${count(rules.length, 'rule')} is active from the next decision on.${undo ? ` ${undo} takes it back.` : ''}`
      : `Ruleset ${version} is active already.`,
  );
}

/**
 * Recomputes every decision from its stored inputs; fails when any comes out differently. Says whether all that wait do so by
 * the rules in force.
 */
async function checkDecisions(operator: Operator, options: { since: Since }) {
  const database = await operator.database();
  const rulesets = createRulesetStore();
  const view: CheckView = {
    since: options.since(operator.now(), operator.config.companyTimeZone),
    checked: 0,
    differing: [],
    waitingByEarlierRules: await countEarlierWaits(database),
  };
  for (const decisions of [readDecisionsSince, readWaitsSince])
    for await (const stored of decisions(database, view.since)) {
      const { leadId, round, move, decidedAt, rulesetVersion } = stored;
      const found = differences(stored, await rulesets.byVersion(database, rulesetVersion));
      view.checked += 1;
      if (found.length === 0) continue;
      view.differing.push({ leadId, round, move, decidedAt, rulesetVersion, differences: found });
    }
  operator.show(view, checkText);
  if (view.differing.length === 0) return;
  throw new OperatorError(`${count(view.differing.length, 'decision')} cannot be recomputed.`);
}
