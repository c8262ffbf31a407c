import { randomUUID } from 'node:crypto';
import { checkDataset } from '../../domain/catalogue/dataset/check-dataset.ts';
import { createDatasetParser } from '../../domain/catalogue/dataset/parse-dataset.ts';
import { createSectionChanges, storedKey } from '../../domain/catalogue/dataset/record-changes.ts';
import type { RecordIds } from '../../domain/catalogue/dataset/record-ids.ts';
import {
  sectionNames,
  type DatasetEvent,
  type StoredRecord,
} from '../../domain/catalogue/dataset/sections.ts';
import { findRuleLosses, withWaiting } from '../../domain/routing/ruleset-losses.ts';
import { formatIssue } from '../../domain/validation-issues.ts';
import { countWaitsByRule } from '../../store/leads/waiting-leads.ts';
import {
  completeRecords,
  createStoredSections,
  readKnownRecords,
} from '../../store/catalogue/dataset/stored-records.ts';
import { nameRules } from '../../store/catalogue/dataset/rules.ts';
import { SNAPSHOT, type Database } from '../../store/db/database.ts';
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
  const { changes, compare } = createSectionChanges('rules', Infinity);
  const before = byKey(await nameRules(database, active));
  const after = byKey(await nameRules(database, rules, names));
  for (const [key, rule] of before) compare(rule, after.get(key));
  for (const [key, rule] of after) if (!before.has(key)) compare(undefined, rule);
  const losses = withWaiting(findRuleLosses(active, rules), await countWaitsByRule(database));
  operator.show({ changes: changes.records, losses }, rulesDiffText);
}

const byKey = (rules: readonly StoredRecord[]) =>
  new Map(rules.map((rule) => [storedKey('rules', rule), rule]));

async function readOther(operator: Operator, fileOrVersion: string) {
  if (/^\d+$/.test(fileOrVersion)) {
    const { rules } = await findRuleset(operator, Number(fileOrVersion));
    return { rules };
  }
  const { rules, ids } = await readRules(operator, fileOrVersion, WITHOUT_LISTINGS);
  return { rules, names: keysById(ids) };
}

export const WITHOUT_LISTINGS: Counts = (section) => section !== 'listings';

export function keysById(ids: RecordIds): Map<string, string> {
  const kinds = [...sectionNames, 'subSources'] as const;
  const entries = kinds.flatMap((kind) => [...ids.entries(kind)]);
  return new Map(entries.map(([key, id]) => [id, key]));
}

export async function readRules(operator: Operator, file: string, counts: Counts) {
  const database = await operator.database();
  const parsed = await parseSections(database, file, counts);
  if (!parsed.dataset.rules && parsed.issues.length === 0)
    throw new OperatorError(`${file} has no section rules.`);
  const known = await readKnownRecords(database, operator.config.companyName);
  const checked = checkDataset(parsed, known, randomUUID);
  if (checked.kind === 'valid') return { ...checked, rules: checked.rules ?? [], known };
  const summary = `Nothing was checked: ${count(checked.issues.length, 'error')}.`;
  throw new OperatorError([...checked.issues.map(formatIssue), summary]);
}

type Counts = (section: string) => boolean;

function parseSections(database: Database, file: string, counts: Counts) {
  return database.transaction(async (sql) => {
    const parser = createDatasetParser();
    const events = completeRecords(readSections(file, counts), createStoredSections(sql));
    for await (const event of events) parser.read(event);
    return parser.parsed();
  }, SNAPSHOT);
}

async function* readSections(file: string, counts: Counts): AsyncGenerator<DatasetEvent> {
  for await (const event of readDatasetFile(file)) {
    if (
      event.kind === 'no dataset' ||
      counts(event.kind === 'section' ? event.name : event.section)
    )
      yield event;
  }
}
