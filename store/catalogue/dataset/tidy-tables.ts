import type { Database } from '../../db/database.ts';
import type { SectionCounts } from './write-sections.ts';

const LARGE = 1000;
const TABLES = ['locations', 'developers', 'projects', 'listings'] as const;

/**
 * After many rows at once the searches would plan by old statistics, and read the tables behind the
 * indexes, until the database came round to it by itself.
 */
export async function tidyTables(database: Database, counts: SectionCounts): Promise<void> {
  for (const table of TABLES) {
    const { created = 0, updated = 0 } = counts[table] ?? {};
    if (created + updated >= LARGE) await database.query(`vacuum (analyze) ${table}`);
  }
}
