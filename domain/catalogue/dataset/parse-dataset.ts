import type * as z from 'zod';
import { assertNever } from '../../assert-never.ts';
import { nearestName, plainForm } from '../../near-name.ts';
import { issueAt, plainMessage, type DatasetIssue } from '../../validation-issues.ts';
import { lookupKey } from '../lookups/lookup-list.ts';
import {
  fieldOf,
  isSection,
  sections,
  type Dataset,
  type DatasetEvent,
  type Indexed,
  type SectionName,
} from './sections.ts';

export interface ParsedDataset {
  dataset: Dataset;
  issues: DatasetIssue[];
  /** A reference to an invalid record is not a second issue. */
  invalidKeys: ReadonlySet<string>;
  invalid: Readonly<Partial<Record<SectionName, readonly Indexed<unknown>[]>>>;
}

const SCHEMA_KEY = '$schema';

type Records = Partial<Record<SectionName, Indexed<unknown>[]>>;

/** Continues after an issue, so that it finds all. */
export function createDatasetParser() {
  const kept: Records = {};
  const invalid: Records = {};
  const invalidKeys = new Set<string>();
  const issues: DatasetIssue[] = [];

  function openSection({ name, isList }: { name: string; isList: boolean }): void {
    if (name === SCHEMA_KEY && !isList) return;
    const message = sectionIssue(name, isList, kept);
    if (message === null) kept[name as SectionName] = [];
    else issues.push({ place: name, message });
  }

  function readRecord(section: SectionName, record: Indexed<unknown>): void {
    const { schema, key: keyFields } = sections[section];
    const { data, error } = schema.safeParse(record.value, { error: plainMessage });
    if (!error) return void kept[section]?.push({ index: record.index, value: data });
    (invalid[section] ??= []).push(record);
    const [field] = keyFields;
    const key = field && fieldOf(record.value, field);
    if (key !== undefined) invalidKeys.add(recordKey(section, String(key)));
    issues.push(...error.issues.flatMap((issue) => schemaIssues(section, record.index, issue)));
  }

  return {
    read(event: DatasetEvent): void {
      switch (event.kind) {
        case 'no dataset':
          issues.push({ place: 'dataset', message: 'Expected an object with a list per section' });
          return;
        case 'section':
          return openSection(event);
        case 'issue': {
          const { section, index, field, message, unreadKey } = event;
          const path = [section, index, ...(field === undefined ? [] : [field])];
          issues.push(issueAt(path, message));
          if (unreadKey !== undefined) invalidKeys.add(recordKey(section, unreadKey));
          return;
        }
        case 'record':
          if (isSection(event.section)) readRecord(event.section, event);
          return;
        default:
          return assertNever(event);
      }
    },
    parsed: (): ParsedDataset => ({ dataset: kept as Dataset, issues, invalidKeys, invalid }),
  };
}

export function parseListings(listings: readonly Indexed<unknown>[]): ParsedDataset {
  const parser = createDatasetParser();
  parser.read({ kind: 'section', name: 'listings', isList: true });
  for (const { index, value } of listings)
    parser.read({ kind: 'record', section: 'listings', index, value });
  return parser.parsed();
}

function sectionIssue(name: string, isList: boolean, known: Records): string | null {
  if (!isSection(name)) return 'is not a section';
  if (!isList) return 'Expected a list of records';
  return known[name] ? 'is there already' : null;
}

function schemaIssues(section: SectionName, index: number, issue: z.core.$ZodIssue) {
  const path = [section, index, ...issue.path];
  if (issue.code !== 'unrecognized_keys') return [issueAt(path, issue.message)];
  return issue.keys.map((key) => {
    const near = issue.path.length === 0 ? nearestField(section, key) : undefined;
    const message = near === undefined ? 'is not known' : `is not known; ${near} is`;
    return issueAt([...path, key], message);
  });
}

function nearestField(section: SectionName, name: string): string | undefined {
  const { schema } = sections[section];
  const fields = 'shape' in schema ? Object.keys(schema.shape) : [];
  return nearestName(
    name,
    fields.map((field) => ({ name: field, form: plainForm(field) })),
  );
}

export function recordKey(section: SectionName, name: string): string {
  return `${section}/${lookupKey(name)}`;
}
