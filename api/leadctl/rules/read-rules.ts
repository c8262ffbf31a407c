import { randomUUID } from 'node:crypto';
import { checkDataset } from '../../../domain/dataset/check-dataset.ts';
import { faultText } from '../../../domain/dataset/fault.ts';
import { parseDataset } from '../../../domain/dataset/parse-dataset.ts';
import type { Ruleset } from '../../../domain/routing/types.ts';
import { readKnownRecords } from '../../../store/dataset/read-known.ts';
import { readDatasetFile } from '../dataset/read-file.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { count } from '../text.ts';

/**
 * The `rules` of a dataset, their names resolved against the database as an import would do it. Other
 * sections are left out: a replay needs agents and teams with a past.
 */
export async function readRules(operator: Operator, file: string): Promise<Ruleset> {
  const dataset = (await readDatasetFile(file)) as { rules?: unknown } | null;
  if (!dataset?.rules) throw new OperatorError(`${file} has no section rules.`);
  const known = await readKnownRecords(await operator.database(), operator.config.companyName);
  const checked = checkDataset(parseDataset({ rules: dataset.rules }), known, randomUUID);
  if (checked.kind === 'sound') return { rules: checked.rules ?? [] };
  const faults = checked.faults.map(faultText);
  throw new OperatorError(
    [...faults, `Nothing was tried: ${count(faults.length, 'fault')}.`].join('\n'),
  );
}
