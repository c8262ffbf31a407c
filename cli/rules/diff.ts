import { createSectionChanges, storedKey } from '../../domain/catalogue/dataset/record-changes.ts';
import { sectionNames } from '../../domain/catalogue/dataset/sections.ts';
import { findRuleLosses, withWaiting } from '../../domain/routing/ruleset-losses.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import { countWaitsByRule } from '../../store/leads/waits.ts';
import { nameRules } from '../../store/catalogue/dataset/sections/active-rules.ts';
import { readRulesetEntry } from '../../store/routing/rulesets.ts';
import type { Operator } from '../operator.ts';
import { rulesDiffText } from '../views/import.ts';
import { findRuleset } from './find-ruleset.ts';
import { readRules } from './try.ts';

/** What would change if the rules of a file or of a version took the place of the active ones. */
export async function diffRules(operator: Operator, fileOrVersion: string) {
  const database = await operator.database();
  const active = (await readRulesetEntry(database))?.rules ?? [];
  const { rules, names } = await readOther(operator, fileOrVersion);
  const { changes, compare } = createSectionChanges('rules', Infinity);
  const before = await nameRules(database, active);
  const after = await nameRules(database, rules, names);
  const byKey = new Map(after.map((rule) => [storedKey('rules', rule), rule]));
  for (const rule of before) compare(rule, byKey.get(storedKey('rules', rule)));
  const known = new Set(before.map((rule) => storedKey('rules', rule)));
  for (const [key, rule] of byKey) if (!known.has(key)) compare(undefined, rule);
  const losses = withWaiting(findRuleLosses(active, rules), await countWaitsByRule(database));
  operator.show({ changes: changes.records, losses }, rulesDiffText);
}

async function readOther(
  operator: Operator,
  fileOrVersion: string,
): Promise<{ rules: readonly Rule[]; names?: ReadonlyMap<string, string> }> {
  if (/^\d+$/.test(fileOrVersion)) return findRuleset(operator, Number(fileOrVersion));
  const { rules, ids } = await readRules(
    operator,
    fileOrVersion,
    (section) => section !== 'listings',
  );
  const kinds = [...sectionNames, 'subSources'] as const;
  const entries = kinds.flatMap((kind) => [...ids.entries(kind)]);
  return { rules, names: new Map(entries.map(([key, id]) => [id, key])) };
}
