import { randomUUID } from 'node:crypto';
import { compareSection, type RecordPair } from '../../app/dataset/changes.ts';
import { readDataset } from '../../app/dataset/import.ts';
import { isRecord } from '../../domain/canonical-json.ts';
import { findRuleLosses, withWaiting } from '../../domain/routing/ruleset-losses.ts';
import { formatIssue } from '../../domain/validation-issues.ts';
import { SNAPSHOT } from '../../store/db/database.ts';
import { sectionNames, type RecordIds } from '../../store/dataset/record-ids.ts';
import { nameRules } from '../../store/dataset/rules.ts';
import type { StoredRecord } from '../../store/dataset/section.ts';
import { naturalKey } from '../../store/dataset/sections.ts';
import { countWaitsByRule } from '../../store/leads/waiting-leads.ts';
import { readRulesetEntry } from '../../store/routing/rulesets.ts';
import { readDatasetFile } from '../dataset/read-file.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count } from '../text.ts';
import { rulesDiffText } from '../views/import.ts';
import { findRuleset } from './versions.ts';

export async function diffRules(operator: Operator, fileOrVersion: string) {
  const database = await operator.database();
  const active = (await readRulesetEntry(database))?.rules ?? [];
  const { rules, names } = await readOther(operator, fileOrVersion);
  const before = byKey(await nameRules(database, active));
  const after = byKey(await nameRules(database, rules, names));
  const known = [...before].map(([key, rule]): RecordPair => [rule, after.get(key)]);
  const added = [...after].filter(([key]) => !before.has(key));
  const pairs = [...known, ...added.map(([, rule]): RecordPair => [undefined, rule])];
  const { changes } = await compareSection('rules', pairs, Infinity);
  const losses = withWaiting(findRuleLosses(active, rules), await countWaitsByRule(database));
  operator.show({ changes: changes.records, losses }, rulesDiffText);
}

const byKey = (rules: readonly StoredRecord[]) =>
  new Map(rules.map((rule) => [naturalKey('rules', rule), rule]));

async function readOther(operator: Operator, fileOrVersion: string) {
  if (/^\d+$/.test(fileOrVersion)) {
    const { rules } = await findRuleset(operator, Number(fileOrVersion));
    return { rules };
  }
  const { rules, ids } = await readRules(operator, fileOrVersion, WITHOUT_LISTINGS);
  return { rules, names: keysById(ids) };
}

export const WITHOUT_LISTINGS = (section: string) => section !== 'listings';

export function keysById(ids: RecordIds): Map<string, string> {
  const kinds = [...sectionNames, 'subSources'] as const;
  const entries = kinds.flatMap((kind) => ids.all(kind));
  return new Map(entries.map(([key, { id }]) => [id, key]));
}

/** `counts`: the sections of the file that are read. */
export async function readRules(
  operator: Operator,
  file: string,
  counts: (section: string) => boolean,
) {
  const database = await operator.database();
  const { dataset: whole, issues: found = [] } = await readDatasetFile(file);
  const issues = found.filter(({ place }) => counts(place));
  const entries = isRecord(whole) && Object.entries(whole).filter(([section]) => counts(section));
  const dataset = entries ? Object.fromEntries(entries) : whole;
  const { companyName } = operator.config;
  const read = await database.transaction(
    (sql) => readDataset(sql, { dataset, issues }, { companyName, newId: randomUUID }),
    SNAPSHOT,
  );
  if (read.kind === 'valid' && read.dataset.rules) return read;
  if (read.kind === 'valid') throw new OperatorError(`${file} has no section rules.`);
  const summary = `Nothing was checked: ${count(read.issues.length, 'error')}.`;
  throw new OperatorError([...read.issues.map(formatIssue), summary]);
}
