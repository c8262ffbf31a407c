import { rulesInOrder } from '../../domain/routing/rule-order.ts';
import { readRecordNames } from '../../store/routing/record-names.ts';
import type { RulesetEntry } from '../../store/routing/ruleset-versions.ts';
import type { Names } from '../lead/explain-text.ts';
import type { Operator } from '../operator.ts';
import { count, tableText, timeText } from '../text.ts';
import { existingRuleset } from './existing-ruleset.ts';
import { conditionsText, exhaustedText, followUpText, gatesText, targetText } from './rule-text.ts';

export async function showRules(
  operator: Operator,
  { version }: { version?: number },
): Promise<void> {
  const ruleset = await existingRuleset(operator, version);
  const names = await readRecordNames(await operator.database(), ruleset.rules);
  operator.show({ ...ruleset, names: Object.fromEntries(names) }, () =>
    [headline(ruleset), rulesText(ruleset, names), ...disabledText(ruleset)].join('\n'),
  );
}

function headline({ version, isActive, author, createdAt, activatedAt }: RulesetEntry): string {
  const since = isActive ? `, active since ${timeText(activatedAt)}` : ', not active';
  return `Ruleset ${version} by ${author}, made ${timeText(createdAt)}${since}`;
}

/** In the order in which they are tried for a lead that nobody claims. */
function rulesText({ rules }: RulesetEntry, names: Names): string {
  if (rules.length === 0) return 'No rules: every lead stays unassigned.';
  return tableText(
    ['order', 'rule', 'when', 'goes to', 'gates', 'nobody can', 'no response'],
    rulesInOrder({ rules }, { distributionType: null }).map(({ rule }) => [
      rule.order,
      [rule.name, ...rule.claims.map((claim) => `claims ${claim}`)].join('\n'),
      conditionsText(rule, names),
      targetText(rule, names),
      gatesText(rule.gates),
      exhaustedText(rule, names),
      followUpText(rule, names),
    ]),
  );
}

function disabledText({ rules }: RulesetEntry): string[] {
  const disabled = rules.filter(({ enabled }) => !enabled).map(({ name }) => `'${name}'`);
  if (disabled.length === 0) return [];
  return [`${count(disabled.length, 'rule')} switched off: ${disabled.join(', ')}`];
}
