import type { Rule } from '../../routing/types.ts';
import { languageFaults, standardFaults } from './codes.ts';
import { duplicateFaults } from './duplicates.ts';
import type { Fault } from './dataset-error.ts';
import type { KnownRecords } from './known-records.ts';
import { orderLocations } from './location-tree.ts';
import type { ParsedDataset } from './parse-dataset.ts';
import { assignIds } from './record-ids.ts';
import type { RecordIds } from './record-ids.ts';
import { referenceFaults } from './references.ts';
import { brokenRuleFaults, resolveRules } from './resolve-rules.ts';
import { allLanguages, ruleNames } from './rule-names.ts';
import type { Dataset } from './sections.ts';

export type CheckedDataset =
  | { kind: 'faulty'; faults: Fault[]; ids: RecordIds }
  /** Locations come parents first. */
  | { kind: 'sound'; dataset: Dataset; ids: RecordIds; rules: Rule[] | null };

/** Holds a dataset against itself and against what the database has; finds every fault. */
export function checkDataset(
  parsed: ParsedDataset,
  known: KnownRecords,
  newId: () => string,
): CheckedDataset {
  const { dataset, faults, broken } = parsed;
  const { ids, faults: idFaults } = assignIds(dataset, known, newId);
  const tree = orderLocations(dataset.locations ?? [], known.parents);
  const names = ruleNames(dataset, known, ids);
  const scope = { ids, names, broken };
  const resolved = resolveRules(dataset.rules ?? [], scope);
  const brokenRules = brokenRuleFaults(parsed.faulty.rules ?? [], scope);
  const all = [
    ...faults,
    ...duplicateFaults(dataset, known),
    ...idFaults,
    ...referenceFaults(parsed, ids),
    ...tree.faults,
    ...languageFaults(parsed, allLanguages(dataset, known)),
    ...standardFaults(parsed),
    ...resolved.faults,
    ...brokenRules,
  ];
  if (all.length > 0) return { kind: 'faulty', faults: all, ids };
  const sound = dataset.locations ? { ...dataset, locations: tree.ordered } : dataset;
  return { kind: 'sound', dataset: sound, ids, rules: dataset.rules ? resolved.rules : null };
}
