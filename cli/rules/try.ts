import { randomUUID } from 'node:crypto';
import { checkDataset } from '../../domain/catalogue/dataset/check-dataset.ts';
import type { DatasetEvent } from '../../domain/catalogue/dataset/sections.ts';
import { formatIssue } from '../../domain/validation-issues.ts';
import {
  createDatasetParser,
  type ParsedDataset,
} from '../../domain/catalogue/dataset/parse-dataset.ts';
import { routingDefaults } from '../../domain/routing/follow-up.ts';
import type { Ruleset } from '../../domain/routing/rule-schema.ts';
import { readRecordNames } from '../../store/routing/names.ts';
import { readKnownRecords } from '../../store/catalogue/dataset/read-known-records.ts';
import type { Since } from '../arguments.ts';
import { readDatasetFile } from '../dataset/read-file.ts';
import { OperatorError, type Operator } from '../operator.ts';
import { count } from '../text.ts';
import { tryText } from '../views/rules-try.ts';
import { replayPast } from './replay-past.ts';

/** What would have changed if these rules had been active. */
export async function tryRules(
  operator: Operator,
  file: string,
  options: { since: Since; sample: number },
) {
  const database = await operator.database();
  const ruleset = await readRules(operator, file);
  const since = options.since(operator.now());
  const defaults = routingDefaults(operator.config);
  const sampleSize = options.sample;
  const replay = await replayPast(database, ruleset, { since, defaults, sampleSize });
  const names = await readRecordNames(database, replay);
  const view = { file, since, rules: ruleset.rules.length, ...replay };
  operator.show({ ...view, names: Object.fromEntries(names) }, () => tryText(view, names));
}

/** The file's `rules`, checked as by an import. Its other sections do not count: a replay needs agents with a past. */
async function readRules(operator: Operator, file: string): Promise<Ruleset> {
  const parsed = await parseRules(file);
  if (!parsed.dataset.rules && parsed.issues.length === 0)
    throw new OperatorError(`${file} has no section rules.`);
  const known = await readKnownRecords(await operator.database(), operator.config.companyName);
  const checked = checkDataset(parsed, known, randomUUID);
  if (checked.kind === 'valid') return { rules: checked.rules ?? [] };
  const summary = `Nothing was tried: ${count(checked.issues.length, 'error')}.`;
  throw new OperatorError([...checked.issues.map(formatIssue), summary].join('\n'));
}

async function parseRules(file: string): Promise<ParsedDataset> {
  const parser = createDatasetParser();
  for await (const event of readDatasetFile(file)) {
    const accepted = isOfRules(event) ? parser.read(event) : null;
    if (accepted) parser.keep(accepted);
  }
  return parser.parsed();
}

function isOfRules(event: DatasetEvent): boolean {
  if (event.kind === 'no dataset') return true;
  return (event.kind === 'section' ? event.name : event.section) === 'rules';
}
