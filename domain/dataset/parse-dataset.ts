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
}

/** Reads every record by its schema and goes on after a fault, so that all of them are found. */
export function parseDataset(json: unknown): ParsedDataset {
  const file = z.record(z.string(), z.unknown()).safeParse(json);
  if (!file.success) return withFault('dataset', 'Expected an object with a list per section');
  const faults: Fault[] = Object.keys(file.data)
    .filter((name) => !isSection(name))
    .map((name) => ({ place: name, message: 'is not a section' }));
  const broken = new Set<string>();
  const present = sectionNames.filter((name) => file.data[name] !== undefined);
  const dataset = Object.fromEntries(
    present.map((name) => [name, parseSection(name, file.data[name], faults, broken)]),
  );
  return { dataset: dataset as Dataset, faults, broken };
}

export function brokenKey(section: SectionName, name: string): string {
  return `${section}/${lookupKey(name)}`;
}

function parseSection(
  name: SectionName,
  records: unknown,
  faults: Fault[],
  broken: Set<string>,
): Placed<unknown>[] {
  if (!Array.isArray(records)) {
    faults.push({ place: name, message: 'Expected a list of records' });
    return [];
  }
  const { schema, key } = sections[name];
  return records.flatMap((record: unknown, index) => {
    const parsed = schema.safeParse(record);
    if (parsed.success) return [{ index, value: parsed.data }];
    faults.push(...parsed.error.issues.flatMap((issue) => issueFaults([name, index], issue)));
    if (key[0])
      broken.add(brokenKey(name, String((record as Record<string, unknown> | null)?.[key[0]])));
    return [];
  });
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
  return { dataset: {}, faults: [{ place, message }], broken: new Set() };
}
