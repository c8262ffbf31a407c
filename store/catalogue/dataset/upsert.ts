import type { SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { Sql } from '../../db/database.ts';
import { removeMissing, upsertRows, type Row, type WrittenTable } from '../../db/rows.ts';

export const COUNT_NAMES = ['created', 'updated', 'unchanged', 'disabled'] as const;

/** What was done to the records of a section. Those that a file leaves out count as `disabled` if asked for. */
export type Counts = Record<(typeof COUNT_NAMES)[number], number>;
export type SectionCounts = { [Name in SectionName]?: Counts };

export const noCounts: Counts = { created: 0, updated: 0, unchanged: 0, disabled: 0 };

export function sum(counts: readonly Counts[]): Counts {
  const total = { ...noCounts };
  for (const each of counts) for (const name of COUNT_NAMES) total[name] += each[name];
  return total;
}

export function countNested(counts: Counts, isChanged: boolean): Counts {
  return counts.unchanged === 1 && isChanged ? { ...noCounts, updated: 1 } : counts;
}

const BATCH_SIZE = 1000;

export async function upsert(
  sql: Sql,
  table: WrittenTable,
  rows: readonly Row[],
  onWritten: (rows: number) => void = () => undefined,
): Promise<Counts> {
  const counts = { ...noCounts };
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const batch = rows.slice(start, start + BATCH_SIZE);
    const { created, updated } = await upsertRows(sql, table, batch);
    counts.created += created;
    counts.updated += updated;
    counts.unchanged += batch.length - created - updated;
    onWritten(batch.length);
  }
  return counts;
}

interface WriteContext {
  sql: Sql;
  disableMissing?: boolean;
  onWritten: (rows: number) => void;
}

/** Writes the rows of a section and removes those that the file leaves out; `where` narrows the table to it. */
export async function writeRows(
  { sql, disableMissing, onWritten }: WriteContext,
  table: WrittenTable,
  rows: readonly Row[],
  where = 'true',
): Promise<Counts> {
  const counts = await upsert(sql, table, rows, onWritten);
  const disabled = disableMissing ? await removeMissing(sql, table, { rows, where }) : 0;
  return { ...counts, disabled };
}
