import { randomUUID } from 'node:crypto';
import { checkDataset } from '../../domain/catalogue/dataset/check-dataset.ts';
import { formatIssue } from '../../domain/catalogue/dataset/dataset-issue.ts';
import { createDatasetParser } from '../../domain/catalogue/dataset/parse-dataset.ts';
import type { ParsedDataset } from '../../domain/catalogue/dataset/parse-dataset.ts';
import type { DatasetEvent } from '../../domain/catalogue/dataset/dataset-events.ts';
import type { Ruleset } from '../../domain/routing/types.ts';
import { readKnownRecords } from '../../store/catalogue/dataset/read-known-records.ts';
import { readDatasetFile } from '../dataset/read-file.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { count } from '../text.ts';

/**
 * The `rules` of a dataset, their names resolved against the database as an import would do it. Other
 * sections are left out: a replay needs agents and teams with a past.
 */
export async function readRules(operator: Operator, file: string): Promise<Ruleset> {
  const parsed = await parseRules(file);
  if (!parsed.dataset.rules && parsed.issues.length === 0)
    throw new OperatorError(`${file} has no section rules.`);
  const known = await readKnownRecords(await operator.database(), operator.config.companyName);
  const checked = checkDataset(parsed, known, randomUUID);
  if (checked.kind === 'valid') return { rules: checked.rules ?? [] };
  const faults = checked.issues.map(formatIssue);
  throw new OperatorError(
    [...faults, `Nothing was tried: ${count(faults.length, 'fault')}.`].join('\n'),
  );
}

async function parseRules(file: string): Promise<ParsedDataset> {
  const parser = createDatasetParser();
  for await (const part of readDatasetFile(file)) {
    const sound = isOfRules(part) ? parser.read(part) : null;
    if (sound) parser.keep(sound);
  }
  return parser.parsed();
}

function isOfRules(part: DatasetEvent): boolean {
  if (part.kind === 'no dataset') return true;
  return (part.kind === 'section' ? part.name : part.section) === 'rules';
}
