import { withDataset } from '../../domain/catalogue/dataset/lint-records.ts';
import { sectionNames } from '../../domain/catalogue/dataset/sections.ts';
import { lintLosses, lintRules, type LintRecords } from '../../domain/routing/lint-rules.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import { readLintRecords, readRulesetEntry } from '../../store/routing/rulesets.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { readFactsSince } from '../../store/routing/stored-decisions.ts';
import { since, type Since } from '../arguments.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count } from '../text.ts';
import { lintText } from '../views/rules-lint.ts';
import { readRules } from './try.ts';

const LINTED_AGE = '30d';

interface LintOptions {
  since: Since;
  strict: boolean;
}

/** Warns of what is wrong with the rules of a file; with `strict` fails where anything is. */
export async function lintFile(operator: Operator, file: string, options: LintOptions) {
  const read = await readRules(operator, file, (section) => section !== 'listings');
  const records = withDataset(await readLintRecords(await operator.database()), read);
  const active = (await readRulesetEntry(await operator.database()))?.rules ?? [];
  const lint = await lintAll(operator, { active, rules: read.rules }, records, options.since);
  const shownIds = JSON.stringify(lint.warnings);
  for (const kind of [...sectionNames, 'subSources'] as const)
    for (const [key, id] of read.ids.entries(kind))
      if (shownIds.includes(id)) lint.names[id] ??= key;
  operator.show({ file, ...lint }, lintText);
  if (!options.strict || lint.warnings.length === 0) return;
  throw new OperatorError(`${file} has ${count(lint.warnings.length, 'warning')}.`);
}

export async function lintActiveRules(operator: Operator) {
  const database = await operator.database();
  const { rules = [] } = (await readRulesetEntry(database)) ?? {};
  return lintAll(
    operator,
    { active: rules, rules },
    await readLintRecords(database),
    since(LINTED_AGE),
  );
}

/** Past leads are read only where a warning could be about them. */
async function lintAll(
  operator: Operator,
  { active, rules }: { active: readonly Rule[]; rules: readonly Rule[] },
  records: LintRecords,
  sinceOf: Since,
) {
  const database = await operator.database();
  const checks = [lintLosses(active, rules), lintRules({ rules }, records)];
  const warnings = checks.flatMap((check) => check.warnings);
  const from = sinceOf(operator.now(), operator.config.companyTimeZone);
  let leads = 0;
  if (warnings.length > 0)
    for await (const { facts } of readFactsSince(database, from)) {
      for (const { add } of checks) add(facts);
      leads += 1;
    }
  const names = Object.fromEntries(await readRecordNames(database, warnings));
  return { rules: rules.length, since: from, leads, warnings, names };
}
