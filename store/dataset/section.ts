import type * as z from 'zod';
import type { Entry, LookupList } from '../../domain/catalogue/lookups/lookup-list.ts';
import { simplifyHours, type WorkingHours } from '../../domain/routing/working-hours.ts';
import type { Rule } from '../../domain/routing/rules.ts';
import type { Sql } from '../db/database.ts';
import { removeMissing, snakeCase, upsertRows, type Row, type WrittenTable } from '../db/rows.ts';
import { statement, type NoParams } from '../db/statement.ts';
import type { RecordIds, SectionName } from './record-ids.ts';

/** A record as a file has it. Fields that are not set are omitted. */
export type StoredRecord = Readonly<Record<string, unknown>> | string;

export function fieldOf(record: unknown, field: string): unknown {
  return (record as Record<string, unknown> | null | undefined)?.[field];
}

export interface Section<Schema extends z.ZodType = z.ZodType> {
  name: SectionName;
  /** For operators. */
  about: string;
  /** The fields of the natural key. Without fields, a record is its own key. */
  key: readonly string[];
  schema: Schema;
  /** Fields to the sections that they refer to. `a.b` is the field b of the entries of a list. */
  references: Readonly<Record<string, SectionName>>;
  /** The section in a file replaces all stored records. Locks them, so that none is added meanwhile. */
  replaces?: (sql: Sql) => Promise<unknown>;
  /** Keeps the stored value of each field that the file omits. By default of the fields of the record. */
  overlay?: (stored: Record<string, unknown>, given: Record<string, unknown>) => object;
  /** All records; of listings those with these ids, in this order. */
  read(sql: Sql, ids?: readonly string[]): Promise<StoredRecord[]>;
  write(context: WriteContext, records: readonly z.output<Schema>[]): Promise<Counts>;
}

export interface WriteContext {
  sql: Sql;
  ids: RecordIds;
  languages: LookupList<Entry>;
  /** Slugs to the emails of the agents who had them before the import. */
  agentSlugs: ReadonlyMap<string, string>;
  /** The section `rules` with names resolved. */
  rules: readonly Rule[];
  author: string;
  companyTimeZone: string;
  now: Date;
  newId: () => string;
  disableMissing?: boolean;
  onWritten: (records: number) => void;
}

/** Infers the type of the written records from the schema. */
export function section<Schema extends z.ZodType>(
  given: Omit<Section<Schema>, 'references'> & Partial<Section<Schema>>,
): Section<Schema> {
  return { references: {}, ...given };
}

/** Declares the statement that reads the records of a section, with the names of their fields as columns. */
export function recordsStatement<Params extends object = NoParams>(name: string) {
  return (sql: TemplateStringsArray, ...parts: readonly string[]) =>
    statement<Params, { record: StoredRecord }>(`${name}_records`)`
select to_jsonb(r) as record from (${String.raw({ raw: sql }, ...parts)}) r`;
}

export function readAll(name: SectionName) {
  return (sql: TemplateStringsArray, ...parts: readonly string[]) => {
    const READ_RECORDS = recordsStatement(name)(sql, ...parts);
    return async (sql: Sql) => (await sql.all(READ_RECORDS, {})).map(toRecord);
  };
}

/** Hours may be stored in an older form. */
export function toRecord({ record: stored }: { record: StoredRecord }): StoredRecord {
  if (typeof stored === 'string') return stored;
  const record = Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== null));
  const hours = record.workingHours as WorkingHours | undefined;
  return hours ? { ...record, workingHours: simplifyHours(hours) } : record;
}

/** `logoUrl` is the column `logo_url`. */
export function toRow(record: object): Row {
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => [snakeCase(field), value as unknown]),
  );
}

export const COUNT_NAMES = ['created', 'updated', 'unchanged', 'disabled'] as const;

/** `disabled`: records that the file omits, disabled or, without a flag, deleted. */
export type Counts = Record<(typeof COUNT_NAMES)[number], number>;

export const noCounts: Counts = { created: 0, updated: 0, unchanged: 0, disabled: 0 };

export function sum(counts: readonly Counts[]): Counts {
  const total = { ...noCounts };
  for (const each of counts) for (const name of COUNT_NAMES) total[name] += each[name];
  return total;
}

export const isChanged = ({ created, updated, disabled }: Counts) =>
  created + updated + disabled > 0;

/** Writes the rows of a section and removes those that the file omits, if asked to; `where` narrows the table. */
export async function writeRows(
  { sql, disableMissing, onWritten }: Pick<WriteContext, 'sql' | 'disableMissing' | 'onWritten'>,
  table: WrittenTable,
  rows: readonly Row[],
  where = 'true',
): Promise<Counts> {
  const counts = { ...noCounts };
  for (const batch of batches(rows)) {
    const { created, updated } = await upsertRows(sql, table, batch);
    counts.created += created;
    counts.updated += updated;
    counts.unchanged += batch.length - created - updated;
    onWritten(batch.length);
  }
  counts.disabled = disableMissing ? await removeMissing(sql, table, rows, where) : 0;
  return counts;
}

/** A record is also changed by a change of its parts. */
export function withParts(own: Counts, parts: Counts): Counts {
  return own.unchanged === 1 && isChanged(parts) ? { ...noCounts, updated: 1 } : own;
}

export const uncounted = ({ sql }: WriteContext) => ({ sql, onWritten: () => undefined });

const BATCH_SIZE = 1000;

export function batches<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / BATCH_SIZE);
  return Array.from({ length: count }, (_, at) =>
    all.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  );
}
