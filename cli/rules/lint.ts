import { withDataset } from '../../app/dataset/resolve-rules.ts';
import { lintRules } from '../../domain/routing/lint-rules.ts';
import { findRuleLosses } from '../../domain/routing/ruleset-losses.ts';
import { readLintRecords, readRulesetEntry } from '../../store/routing/rulesets.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count } from '../text.ts';
import { ruleLossText } from '../views/import.ts';
import { readRules, WITHOUT_LISTINGS } from './rules-file.ts';

export async function lintFile(operator: Operator, file: string, options: { strict: boolean }) {
  const lint = await lintAll(operator, await readRules(operator, file, WITHOUT_LISTINGS));
  operator.show({ file, ...lint }, lintText);
  if (!options.strict || lint.warnings.length === 0) return;
  throw new OperatorError(`${file} has ${count(lint.warnings.length, 'warning')}.`);
}

export async function lintAll(operator: Operator, file?: Awaited<ReturnType<typeof readRules>>) {
  const database = await operator.database();
  const { rules: active = [] } = (await readRulesetEntry(database)) ?? {};
  const records = await readLintRecords(database, operator.now());
  const rules = file?.rules ?? active;
  const orders = new Map(active.map(({ name, order }) => [name, order]));
  const losses = findRuleLosses(active, rules).map((flaw) => {
    return { rule: flaw.rule, order: orders.get(flaw.rule), flaw, text: ruleLossText(flaw) };
  });
  const found = lintRules(rules, file ? withDataset(records, file) : records);
  return { rules: rules.length, warnings: [...losses, ...found] };
}

export function lintText({ rules, warnings }: Awaited<ReturnType<typeof lintAll>>): string {
  if (warnings.length === 0) return `${count(rules, 'rule')}: nothing is wrong.`;
  return warnings.map(({ text }) => text).join('\n');
}
