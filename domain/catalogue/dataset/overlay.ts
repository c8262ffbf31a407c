import * as z from 'zod';
import { naturalKey } from './record-ids.ts';
import { fieldOf, sections, type SectionName, type StoredRecord } from './sections.ts';

/** The stored records of a section by natural key. */
export type StoredRecords = ReadonlyMap<string, StoredRecord>;

/** Fields that consist of fields of their own, each of which may be left out. */
const NESTED: { readonly [Name in SectionName]?: readonly string[] } = {
  rules: ['gates', 'followUp'],
};

/** Fields that are settled for the whole file (agent-slugs.ts). */
const NOT_KEPT: { readonly [Name in SectionName]?: readonly string[] } = { agents: ['slug'] };

/** A record of a file, with the stored record's value of each field that the file leaves out. */
export function overlay(section: SectionName, stored: StoredRecords, given: unknown): unknown {
  const key = readKey(section, given);
  const known = key === null ? undefined : stored.get(key);
  return known === undefined ? given : overlayFields(section, known, given);
}

export function overlayFields(section: SectionName, known: StoredRecord, given: unknown): unknown {
  if (!isObject(given) || !isObject(known)) return given;
  const kept = Object.entries(known).filter(([field]) => !NOT_KEPT[section]?.includes(field));
  const merged: Record<string, unknown> = { ...Object.fromEntries(kept), ...given };
  for (const field of NESTED[section] ?? []) {
    const [before, after] = [known[field], given[field]];
    if (isObject(before) && isObject(after)) merged[field] = { ...before, ...after };
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The natural key of a record as it came; null where its fields are invalid or it has none. */
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
