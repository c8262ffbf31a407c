import * as z from 'zod';
import { canonicalJson, isRecord } from '../../canonical-json.ts';
import { naturalKey } from './record-ids.ts';
import { fieldOf, sections, type SectionName, type StoredRecord } from './sections.ts';

interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

export interface RecordChange {
  record: string;
  change: 'created' | 'updated' | 'removed';
  fields: FieldChange[];
}

interface SectionChanges {
  total: number;
  removed: number;
  records: RecordChange[];
}

export type DatasetChanges = { [Name in SectionName]?: SectionChanges };

export function createSectionChanges(section: SectionName, limit: number) {
  const changes: SectionChanges = { total: 0, removed: 0, records: [] };
  const removed: string[] = [];
  const switchedOff: { record: string; key: string }[] = [];
  return {
    changes,
    removed,
    switchedOff,
    compare(before: StoredRecord | undefined, after: StoredRecord | undefined): void {
      const change = compareRecords(section, before, after);
      if (!change) return;
      changes.total += 1;
      if (after && before && !isOff(before) && isOff(after))
        switchedOff.push({ record: change.record, key: storedKey(section, after) });
      if (change.change === 'removed') changes.removed = removed.push(change.record);
      if (changes.records.length < limit) changes.records.push(change);
    },
  };
}

const FLAGS = ['enabled', 'active', 'published'];

const isOff = (record: StoredRecord) => FLAGS.some((flag) => fieldOf(record, flag) === false);

function compareRecords(
  section: SectionName,
  before: StoredRecord | undefined,
  after: StoredRecord | undefined,
): RecordChange | null {
  const shown = after ?? before;
  if (shown === undefined) return null;
  const record = recordLabel(section, shown);
  if (before === undefined) return { record, change: 'created', fields: [] };
  if (after === undefined) return { record, change: 'removed', fields: [] };
  const fields = changedFields(before, after);
  return fields.length > 0 ? { record, change: 'updated', fields } : null;
}

function changedFields(before: StoredRecord, after: StoredRecord): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((field) => {
    const change = { field, before: valueOf(before, field), after: valueOf(after, field) };
    return canonicalJson(change.before) === canonicalJson(change.after) ? [] : [change];
  });
}

function valueOf(record: StoredRecord, field: string): unknown {
  return fieldOf(record, field) ?? null;
}

function recordLabel(section: SectionName, record: StoredRecord): string {
  const { key } = sections[section];
  const values =
    key.length > 0 ? key.map((field) => fieldOf(record, field)) : Object.values(record);
  return typeof record === 'string' ? record : values.map(String).join(' ');
}

export function storedKey(section: SectionName, record: StoredRecord): string {
  return sections[section].key.length > 0 ? naturalKey(section, record) : canonicalJson(record);
}

export type StoredRecords = ReadonlyMap<string, StoredRecord>;

/** Keeps the stored value of each field that the file omits. */
export function overlay(section: SectionName, stored: StoredRecords, given: unknown): unknown {
  const key = readKey(section, given);
  const known = key === null ? undefined : stored.get(key);
  return known === undefined ? given : overlayFields(section, known, given);
}

export function overlayFields(section: SectionName, known: StoredRecord, given: unknown): unknown {
  if (!isRecord(given) || !isRecord(known)) return given;
  const { nested, settledTogether } = sections[section];
  const kept = Object.entries(known).filter(([field]) => !settledTogether.includes(field));
  const merged: Record<string, unknown> = { ...Object.fromEntries(kept), ...given };
  for (const field of nested) {
    const [before, after] = [known[field], given[field]];
    if (isRecord(before) && isRecord(after)) merged[field] = { ...before, ...after };
  }
  return merged;
}

function readKey(section: SectionName, given: unknown): string | null {
  const { schema, key } = sections[section];
  const record = schema instanceof z.ZodPipe ? schema.out : schema;
  if (key.length === 0 || !('shape' in record)) return null;
  const shape = record.shape as Record<string, z.ZodType>;
  const values: [string, unknown][] = [];
  for (const field of key) {
    const { success, data } = (shape[field] as z.ZodType).safeParse(fieldOf(given, field));
    if (!success) return null;
    values.push([field, data]);
  }
  return naturalKey(section, Object.fromEntries(values));
}
