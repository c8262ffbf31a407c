import { findRuleLosses, withWaiting } from '../../domain/routing/ruleset-losses.ts';
import { countWaitsByRule } from '../../store/leads/waiting-leads.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { routingDefaults } from '../../domain/routing/follow-up-terms.ts';
import {
  activateRuleset,
  RulesActivatedError,
  readRulesetEntry,
  readRulesetVersions,
  type RulesetEntry,
} from '../../store/routing/rulesets.ts';
import { confirm } from '../confirm.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count } from '../text.ts';
import { rulesetText, versionsText } from '../views/rules.ts';

/** The active ruleset unless a version is named. */
export async function findRuleset(operator: Operator, version?: number): Promise<RulesetEntry> {
  const ruleset = await readRulesetEntry(await operator.database(), version);
  if (ruleset) return ruleset;
  throw new OperatorError(`Ruleset ${version} not found; see leadctl rules versions.`);
}

export async function showRules(operator: Operator, { version }: { version?: number }) {
  const ruleset = await findRuleset(operator, version);
  const names = await readRecordNames(await operator.database(), ruleset.rules);
  operator.show({ ...ruleset, names: Object.fromEntries(names) }, (shown) =>
    rulesetText(shown, new Map(Object.entries(shown.names)), routingDefaults(operator.config)),
  );
}

export async function listVersions(operator: Operator) {
  operator.show(await readRulesetVersions(await operator.database()), versionsText);
}

/** Applies from the next decision on; past decisions keep their version. */
export async function activateVersion(
  operator: Operator,
  version: number,
  options: { yes: boolean },
) {
  const { rules } = await findRuleset(operator, version);
  const database = await operator.database();
  const active = await readRulesetEntry(database);
  const found = findRuleLosses(active?.rules ?? [], rules);
  const losses = withWaiting(found, await countWaitsByRule(database));
  const { ruleLossText } = await import('../views/import.ts');
  if (active && losses.length > 0)
    await confirm(
      operator,
      losses.map(ruleLossText),
      options,
      `${activateCommand(active.version)} takes it back`,
    );
  const activation = { version, author: operator.author, now: operator.now() };
  const replacing = active?.version;
  const replaced = await activateRuleset(database, { ...activation, replacing }).catch(refuse);
  const undo = replaced === null ? null : activateCommand(replaced);
  operator.show({ version, rules: rules.length, changed: undo !== null, undo }, () =>
    undo
      ? `Ruleset ${version} with ${count(rules.length, 'rule')} is active from the next decision on. ${undo} takes it back.`
      : `Ruleset ${version} is active already.`,
  );
}

function refuse(error: unknown): never {
  if (!(error instanceof RulesActivatedError)) throw error;
  throw new OperatorError(
    'Somebody else activated rules meanwhile, so nothing was changed. Run it again.',
  );
}

const activateCommand = (version: number) => `leadctl rules activate ${version}`;
