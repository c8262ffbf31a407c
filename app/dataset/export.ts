import { SNAPSHOT, type Database } from '../../store/db/database.ts';
import { sectionNames, type SectionName } from '../../store/dataset/record-ids.ts';
import { readActiveRuleset } from '../../store/dataset/rules.ts';
import type { StoredRecord } from '../../store/dataset/section.ts';
import { sectionOf } from '../../store/dataset/sections.ts';

export type ExportedSection = readonly [name: SectionName, records: readonly StoredRecord[]];

/** The reference data of one moment. Omits empty sections, but not an active ruleset without rules. */
export async function exportDataset(
  database: Database,
  only: readonly SectionName[] = sectionNames,
): Promise<ExportedSection[]> {
  return database.transaction(async (sql) => {
    const exported: ExportedSection[] = [];
    for (const name of only) {
      const records = await sectionOf(name).read(sql);
      if (records.length > 0 || (name === 'rules' && (await readActiveRuleset(sql))))
        exported.push([name, records]);
    }
    return exported;
  }, SNAPSHOT);
}
