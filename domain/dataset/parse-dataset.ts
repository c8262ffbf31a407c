import * as z from 'zod';
import { lookupKey } from '../lookup/lookup-list.ts';
import { placeText } from './fault.ts';
import type { Fault } from './fault.ts';
import { sectionNames, sections } from './sections.ts';
import type { Dataset, Placed, SectionName } from './sections.ts';

export interface ParsedDataset {
  dataset: Dataset;
  faults: Fault[];
  /** Keys of records that are at fault themselves: naming one of them is no second fault. */
  broken: ReadonlySet<string>;
  /** Those records as they came: what they name is looked up all the same. */
  faulty: Readonly<Partial<Record<SectionName, readonly Placed<unknown>[]>>>;
}

/** The sound ones and the others. */
export function allRecords(
  { dataset, faulty }: ParsedDataset,
  section: SectionName,
): readonly Placed<unknown>[] {
  const sound: readonly Placed<unknown>[] = dataset[section] ?? [];
  const others = faulty[section] ?? [];
  return others.length > 0 ? [...sound, ...others] : sound;
}

/** Reads every record by its schema and goes on after a fault, so that all of them are found. */
export function parseDataset(json: unknown): ParsedDataset {
  const file = z.record(z.string(), z.unknown()).safeParse(json);
  if (!file.success) return withFault('dataset', 'Expected an object with a list per section');
  const faults: Fault[] = Object.keys(file.data)
    .filter((name) => !isSection(name))
    .map((name) => ({ place: name, message: 'is not a section' }));
  const present = sectionNames.filter((name) => file.data[name] !== undefined);
  const parsed = present.map((name) => [name, parseSection(name, file.data[name])] as const);
  const each = (part: 'sound' | 'faulty') =>
    Object.fromEntries(parsed.map(([name, section]) => [name, section[part]]));
  return {
    dataset: each('sound') as Dataset,
    faults: [...faults, ...parsed.flatMap(([, section]) => section.faults)],
    broken: new Set(parsed.flatMap(([name, { faulty }]) => brokenKeys(name, faulty))),
    faulty: each('faulty'),
  };
}

export function brokenKey(section: SectionName, name: string): string {
  return `${section}/${lookupKey(name)}`;
}

interface ParsedSection {
  sound: Placed<unknown>[];
  faulty: Placed<unknown>[];
  faults: Fault[];
}

function parseSection(name: SectionName, records: unknown): ParsedSection {
  const section: ParsedSection = { sound: [], faulty: [], faults: [] };
  if (!Array.isArray(records)) {
    section.faults.push({ place: name, message: 'Expected a list of records' });
    return section;
  }
  for (const [index, record] of records.entries()) {
    const parsed = sections[name].schema.safeParse(record);
    if (parsed.success) {
      section.sound.push({ index, value: parsed.data });
      continue;
    }
    section.faulty.push({ index, value: record });
    section.faults.push(
      ...parsed.error.issues.flatMap((issue) => issueFaults([name, index], issue)),
    );
  }
  return section;
}

function brokenKeys(name: SectionName, faulty: readonly Placed<unknown>[]): string[] {
  const [field] = sections[name].key;
  if (field === undefined) return [];
  return faulty.map(({ value }) =>
    brokenKey(name, String((value as Record<string, unknown> | null)?.[field])),
  );
}

function issueFaults(place: readonly PropertyKey[], issue: z.core.$ZodIssue): Fault[] {
  const path = [...place, ...issue.path];
  if (issue.code !== 'unrecognized_keys')
    return [{ place: placeText(path), message: issue.message }];
  return issue.keys.map((key) => ({ place: placeText([...path, key]), message: 'is not known' }));
}

function isSection(name: string): name is SectionName {
  return Object.hasOwn(sections, name);
}

function withFault(place: string, message: string): ParsedDataset {
  return { dataset: {}, faults: [{ place, message }], broken: new Set(), faulty: {} };
}
