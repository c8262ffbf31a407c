import type { SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { Sql } from '../../db/database.ts';
import type { Row } from '../../db/rows.ts';
import type { Tables } from '../../tables/index.ts';

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

export interface WrittenTable {
  name: keyof Tables;
  columns: readonly string[];
  key: readonly string[];
  /** Set when a row is created and left alone afterwards. */
  insertOnly?: readonly string[];
  /** The column that is false for a record that is switched off. */
  flag?: 'enabled' | 'active' | 'published';
}

/** Tables with the time of the last change. */
const TIMED_TABLES: ReadonlySet<string> = new Set([
  'list_entries',
  'developers',
  'locations',
  'projects',
  'listings',
]);

const timeSql = (table: string) => (TIMED_TABLES.has(table) ? ', updated_at = now()' : '');

const BATCH_SIZE = 1000;

/** A row that is there as given is not touched, so that an import of the same file writes nothing. */
export async function upsert(
  sql: Sql,
  table: WrittenTable,
  rows: readonly Row[],
  onWritten: (rows: number) => void = () => undefined,
): Promise<Counts> {
  const statement = buildUpsertSql(table);
  const counts = { ...noCounts };
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const batch = rows.slice(start, start + BATCH_SIZE);
    const [written] = await sql.query<{ created: number; updated: number }>(statement, [
      JSON.stringify(batch),
    ]);
    const { created = 0, updated = 0 } = written ?? {};
    counts.created += created;
    counts.updated += updated;
    counts.unchanged += batch.length - created - updated;
    onWritten(batch.length);
  }
  return counts;
}

/**
 * Rows that are there as given are not even locked, as `on conflict` would: decisions and creates would
 * wait for them, agents above all, until an import ends. Each is found by its key, since a join would
 * be planned for the size that the table had at first.
 */
function buildUpsertSql({ name, columns, key, insertOnly = [] }: WrittenTable): string {
  const kept = new Set([...key, ...insertOnly]);
  const updated = columns.filter((column) => !kept.has(column));
  const isSame = updated.length > 0 ? isSameSql(updated) : 'true';
  const sameKey = sameKeySql(key);
  const set = updated.map((column) => `${column} = g.${column}`);
  const update = `update ${name} t set ${set.join(', ')}${timeSql(name)} from given g
    where is_same = false and ${sameKey} returning 1`;
  return `
    with given as materialized (
      select *, (select ${isSame} from ${name} t where ${sameKey}) as is_same
      from jsonb_populate_recordset(null::${name}, $1::jsonb) g),
    changed as (${updated.length > 0 ? update : 'select where false'}),
    made as (
      insert into ${name} (${columns.join(', ')})
      select ${columns.join(', ')} from given where is_same is null
      on conflict (${key.join(', ')}) do nothing returning 1)
    select (select count(*)::int from made) as created, (select count(*)::int from changed) as updated`;
}

function sameKeySql(key: readonly string[]): string {
  return key.map((column) => `t.${column} = g.${column}`).join(' and ');
}

function isSameSql(columns: readonly string[]): string {
  const row = (alias: string) => `row(${columns.map((column) => `${alias}.${column}`).join(', ')})`;
  return `${row('t')} is not distinct from ${row('g')}`;
}

/** Locks the rows that `upsert` will change, in the order of their ids. */
export async function lockChanging(
  sql: Sql,
  { name, columns, key }: WrittenTable,
  rows: readonly Row[],
): Promise<void> {
  await sql.query(
    `select t.id from ${name} t join jsonb_populate_recordset(null::${name}, $1::jsonb) g
       on ${sameKeySql(key)}
     where not (${isSameSql(columns)}) order by t.id for no key update of t`,
    [JSON.stringify(rows)],
  );
}

interface WriteContext {
  sql: Sql;
  disableMissing?: boolean;
  onWritten: (rows: number) => void;
}

/** Writes the rows of a section and removes those that the file leaves out; `where` narrows the table to it. */
export async function writeRows(
  context: WriteContext,
  table: WrittenTable,
  rows: readonly Row[],
  where = 'true',
): Promise<Counts> {
  const counts = await upsert(context.sql, table, rows, context.onWritten);
  const { name, key } = table;
  const given = `select ${key.join(', ')} from jsonb_populate_recordset(null::${name}, $1::jsonb)`;
  const keys = JSON.stringify(rows, [...key]);
  return { ...counts, disabled: await removeMissing(context, table, given, [keys], where) };
}

/** Deletes rows of a table without a flag. Returns how many; `given` is a query of the keys in the file. */
export async function removeMissing(
  { sql, disableMissing }: WriteContext,
  { name, key, flag }: WrittenTable,
  given: string,
  values: readonly unknown[] = [],
  where = 'true',
): Promise<number> {
  if (!disableMissing) return 0;
  const remove = flag
    ? `update ${name} t set ${flag} = false${timeSql(name)} where ${flag} and`
    : `delete from ${name} t where`;
  const [row] = await sql.query<{ count: number }>(
    `with removed as (
       ${remove} ${where} and not exists (select from (${given}) g where ${sameKeySql(key)})
       returning 1)
     select count(*)::int as count from removed`,
    values,
  );
  return row?.count ?? 0;
}
