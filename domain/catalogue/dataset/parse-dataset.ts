import type * as z from 'zod';
import { assertNever } from '../../assert-never.ts';
import { lookupKey } from '../lookups/lookup-list.ts';
import { missingField } from '../../missing-field.ts';
import { formatPath } from '../../format-path.ts';
import type { Fault } from './dataset-error.ts';
import { partsOf } from './parts.ts';
import type { DatasetPart } from './parts.ts';
import { sectionNames, sections } from './sections.ts';
import type { Dataset, Indexed, SectionName } from './sections.ts';

export interface ParsedDataset {
  dataset: Dataset;
  faults: Fault[];
  /** Keys of records that are at fault themselves: naming one of them is no second fault. */
  broken: ReadonlySet<string>;
  /** Those records as they came: what they name is looked up all the same. */
  faulty: Readonly<Partial<Record<SectionName, readonly Indexed<unknown>[]>>>;
}

/** The sound ones and the others. */
export function allRecords(
  { dataset, faulty }: ParsedDataset,
  section: SectionName,
): readonly Indexed<unknown>[] {
  const sound: readonly Indexed<unknown>[] = dataset[section] ?? [];
  const others = faulty[section] ?? [];
  return others.length > 0 ? [...sound, ...others] : sound;
}

export interface SoundRecord {
  section: SectionName;
  record: Indexed<unknown>;
}

export interface DatasetParser {
  /** A record that is sound, for `keep` or for another place; faults are noted. */
  read(part: DatasetPart): SoundRecord | null;
  keep(sound: SoundRecord): void;
  parsed(): ParsedDataset;
}

type Records = Partial<Record<SectionName, Indexed<unknown>[]>>;

/** Reads every record by its schema and goes on after a fault, so that all of them are found. */
export function createDatasetParser(): DatasetParser {
  const kept: Records = {};
  const faulty: Records = {};
  const faults: Fault[] = [];

  function openSection({ name, isList }: { name: string; isList: boolean }): void {
    const message = sectionFault(name, isList, kept);
    if (message !== null) faults.push({ place: name, message });
    else kept[name as SectionName] = [];
  }

  function readRecord(section: SectionName, record: Indexed<unknown>): SoundRecord | null {
    const { data, error } = sections[section].schema.safeParse(record.value, {
      error: missingField,
    });
    if (!error) return { section, record: { index: record.index, value: data } };
    (faulty[section] ??= []).push(record);
    faults.push(...error.issues.flatMap((issue) => issueFaults([section, record.index], issue)));
    return null;
  }

  return {
    read(part) {
      switch (part.kind) {
        case 'no dataset':
          faults.push({ place: 'dataset', message: 'Expected an object with a list per section' });
          return null;
        case 'section':
          openSection(part);
          return null;
        case 'record':
          return isSection(part.section) ? readRecord(part.section, part) : null;
        default:
          return assertNever(part);
      }
    },
    keep: ({ section, record }) => void kept[section]?.push(record),
    parsed: () => ({ dataset: kept as Dataset, faults, faulty, broken: brokenKeys(faulty) }),
  };
}

/** A dataset that is in memory anyway. */
export function parseDataset(json: unknown): ParsedDataset {
  const parser = createDatasetParser();
  for (const part of partsOf(json)) {
    const sound = parser.read(part);
    if (sound) parser.keep(sound);
  }
  return parser.parsed();
}

function sectionFault(name: string, isList: boolean, known: Records): string | null {
  if (!isSection(name)) return 'is not a section';
  if (!isList) return 'Expected a list of records';
  return known[name] ? 'is there already' : null;
}

export function brokenKey(section: SectionName, name: string): string {
  return `${section}/${lookupKey(name)}`;
}

function brokenKeys(faulty: Records): Set<string> {
  const keys = sectionNames.flatMap((section) =>
    (faulty[section] ?? []).flatMap(({ value }) => {
      const field = sections[section].key[0];
      const key = field && (value as Record<string, unknown> | null)?.[field];
      return key === undefined ? [] : [brokenKey(section, String(key))];
    }),
  );
  return new Set(keys);
}

function issueFaults(place: readonly PropertyKey[], issue: z.core.$ZodIssue): Fault[] {
  const path = [...place, ...issue.path];
  if (issue.code !== 'unrecognized_keys')
    return [{ place: formatPath(path), message: issue.message }];
  return issue.keys.map((key) => ({ place: formatPath([...path, key]), message: 'is not known' }));
}

function isSection(name: string): name is SectionName {
  return Object.hasOwn(sections, name);
}
