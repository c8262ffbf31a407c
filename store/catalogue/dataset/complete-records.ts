import { overlay, type StoredRecords } from '../../../domain/catalogue/dataset/overlay.ts';
import { storedKey } from '../../../domain/catalogue/dataset/record-changes.ts';
import {
  isSection,
  type DatasetEvent,
  type DatasetEvents,
  type SectionName,
  type StoredRecord,
} from '../../../domain/catalogue/dataset/sections.ts';
import type { Sql } from '../../db/database.ts';
import { readRecords } from './section-records.ts';

/** The stored records of the sections that a file has, each section read once, before anything is written. */
export type StoredSections = ReturnType<typeof createStoredSections>;

export function createStoredSections(sql: Sql) {
  const read = new Map<SectionName, Promise<StoredRecords>>();
  return (section: SectionName): Promise<StoredRecords> => {
    const known = read.get(section) ?? readByKey(sql, section);
    read.set(section, known);
    return known;
  };
}

async function readByKey(sql: Sql, section: SectionName): Promise<StoredRecords> {
  const byKey = new Map<string, StoredRecord>();
  for await (const records of readRecords(sql, section))
    for (const record of records) byKey.set(storedKey(section, record), record);
  return byKey;
}

/**
 * Fills in the fields that a file leaves out of records that exist. Listings, too many for the memory, are
 * completed in their staging table.
 */
export async function* completeRecords(
  events: DatasetEvents,
  stored: StoredSections,
): AsyncGenerator<DatasetEvent> {
  for await (const event of events) {
    if (event.kind !== 'record' || !isSection(event.section) || event.section === 'listings')
      yield event;
    else {
      const { section } = event;
      yield { ...event, value: overlay(section, await stored(section), event.value) };
    }
  }
}
