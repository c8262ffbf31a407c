import {
  sectionNames,
  type SectionName,
  type StoredRecord,
} from '../../../domain/catalogue/dataset/sections.ts';
import { SNAPSHOT, type Database } from '../../db/database.ts';
import { readRecords } from './section-records.ts';

export type WriteRecords = (
  section: SectionName,
  records: readonly StoredRecord[],
) => Promise<void>;

/** The reference data of one moment as a dataset, in the order of the sections. Sections that are empty are left out. */
export async function exportDataset(
  database: Database,
  write: WriteRecords,
  only: readonly SectionName[] = sectionNames,
): Promise<void> {
  await database.transaction(async (sql) => {
    for (const section of only)
      for await (const records of readRecords(sql, section)) await write(section, records);
  }, SNAPSHOT);
}
