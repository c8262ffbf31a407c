import { sectionNames } from '../../../domain/catalogue/dataset/sections.ts';
import type { SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { Database, Sql } from '../../db/database.ts';
import { exportQueries } from './export-queries.ts';
import { exportRules } from './export-rules.ts';

export type WriteRecords = (section: SectionName, records: readonly unknown[]) => Promise<void>;

const BATCH = 2000;

/**
 * The reference data of one moment as a dataset, in the order of the sections and in batches, so that
 * memory stays small. Sections that are empty are left out.
 */
export async function exportDataset(database: Database, write: WriteRecords): Promise<void> {
  await database.transaction(
    async (sql) => {
      for (const section of sectionNames) await exportSection(sql, section, write);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

async function exportSection(sql: Sql, section: SectionName, write: WriteRecords): Promise<void> {
  if (section === 'rules') {
    const rules = await exportRules(sql);
    return rules ? write(section, rules) : undefined;
  }
  const cursor = `export_${section}`;
  await sql.query(`declare ${cursor} no scroll cursor for ${exportQueries[section]}`);
  let records: unknown[];
  do {
    const rows = await sql.query<{ record: unknown }>(`fetch ${BATCH} from ${cursor}`);
    records = rows.map(({ record }) => withoutNulls(record));
    if (records.length > 0) await write(section, records);
  } while (records.length === BATCH);
  await sql.query(`close ${cursor}`);
}

function withoutNulls(record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
