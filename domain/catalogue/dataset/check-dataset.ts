import type { Rule } from '../../routing/rules.ts';
import { lookupKey, type Entry, type LookupList } from '../lookups/lookup-list.ts';
import { findSlugConflicts } from './agent-slugs.ts';
import { issueAt, type DatasetIssue } from '../../validation-issues.ts';
import { orderLocations } from './location-tree.ts';
import type { ParsedDataset } from './parse-dataset.ts';
import { assignIds, naturalKey, type KnownRecords, type RecordIds } from './record-ids.ts';
import { findUnknownCodes, findUnknownReferences } from './references.ts';
import { findUnknownNames, resolveRules } from './resolve-rules.ts';
import { allLanguages, createValueResolver } from './rule-values.ts';
import {
  sectionNames,
  sections,
  type Dataset,
  type Indexed,
  type SectionName,
} from './sections.ts';

export type CheckedDataset = { ids: RecordIds; languages: LookupList<Entry> } & (
  | { kind: 'invalid'; issues: DatasetIssue[] }
  /** Locations come parents first. */
  | { kind: 'valid'; dataset: Dataset; rules: Rule[] | null }
);

/** Checks a dataset in itself and against the records in the database; finds every issue. */
export function checkDataset(
  parsed: ParsedDataset,
  known: KnownRecords,
  newId: () => string,
): CheckedDataset {
  const { dataset, invalidKeys } = parsed;
  const { ids, issues: idIssues } = assignIds(dataset, known, newId);
  const tree = orderLocations(dataset.locations ?? [], known.parents, (parent) =>
    ids.placeKey(parent),
  );
  const languages = allLanguages(dataset, known);
  const resolveValue = createValueResolver(dataset, known, ids, languages);
  const scope = { ids, resolveValue, invalidKeys };
  const resolved = resolveRules(dataset.rules ?? [], scope);
  const issues = [
    ...parsed.issues,
    ...findDuplicates(dataset),
    ...findSlugConflicts(dataset.agents ?? [], known.agentSlugs),
    ...idIssues,
    ...findUnknownReferences(parsed, ids),
    ...tree.issues,
    ...findUnknownCodes(parsed, languages),
    ...resolved.issues,
    ...findUnknownNames(parsed.invalid.rules ?? [], scope),
  ];
  if (issues.length > 0) return { kind: 'invalid', issues, ids, languages };
  const ordered = dataset.locations ? { ...dataset, locations: tree.ordered } : dataset;
  const rules = dataset.rules ? resolved.rules : null;
  return { kind: 'valid', dataset: ordered, ids, languages, rules };
}

/** Two records of one key; within one record, two sub-sources or members of one name. */
function findDuplicates(dataset: Dataset): DatasetIssue[] {
  return [
    ...sectionNames.flatMap((section) => sameKeys(section, dataset)),
    ...(dataset.sources ?? []).flatMap(({ value, index }) =>
      sameNames(value.subSources, 'sources', index, 'subSources'),
    ),
    ...(dataset.teams ?? []).flatMap(({ value, index }) => {
      const agents = value.members.map(({ agent }) => agent);
      return sameNames(agents, 'teams', index, 'members');
    }),
  ];
}

function sameKeys(section: SectionName, dataset: Dataset): DatasetIssue[] {
  const field = sections[section].key.at(-1);
  if (field === undefined) return [];
  const records: readonly Indexed<unknown>[] = dataset[section] ?? [];
  const keys = records.map(({ value, index }) => [naturalKey(section, value), index] as const);
  return duplicates(keys).map(({ index, first }) =>
    issueAt([section, index, field], `is the same as that of ${section}[${first}]`),
  );
}

function sameNames(names: readonly string[], ...path: PropertyKey[]): DatasetIssue[] {
  return duplicates(names.map((name, at) => [lookupKey(name), at] as const)).map(({ index }) =>
    issueAt([...path, index], 'is there already'),
  );
}

function duplicates(keys: readonly (readonly [key: string, index: number])[]) {
  const seen = new Map<string, number>();
  return keys.flatMap(([key, index]) => {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined ? [] : [{ index, first }];
  });
}
