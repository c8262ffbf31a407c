// Types only: the ORM takes long to load, and most commands of leadctl need none of it.
import type { EntitySchema } from '@mikro-orm/core';
import type { NewRow, Tables } from '../tables/index.ts';
import type { Sql } from './database.ts';
import { statementVariants, type Statement } from './statement.ts';

/** Foreign keys are checked at the statement's end. Values are JSON: times as ISO strings, decimals as strings. */
export type Row = Record<string, unknown>;
export type RowsByTable = { readonly [Table in keyof Tables]?: readonly NewRow<Table>[] };

export interface TableInsert {
  table: keyof Tables;
  columns: readonly string[];
  /** How a column's value is computed from the row `r`, if not by name. */
  expressions?: Readonly<Record<string, string>>;
  onConflict?: string;
  /** Instead of the table's own rows: a SELECT over the common table expressions before it. */
  select?: string;
  /** The table whose rows that SELECT reads. Without such rows the insert is omitted. */
  selectsFrom?: keyof Tables;
  returning?: string;
}

type InsertOptions = Omit<Partial<TableInsert>, 'table'> & {
  omit?: readonly string[];
};

export function insertInto(
  entity: Parameters<typeof columnsOf>[0] & { tableName: keyof Tables },
  { omit = [], ...options }: InsertOptions = {},
): TableInsert {
  const columns = columnsOf(entity).filter((column) => !omit.includes(column));
  return { table: entity.tableName, columns, ...options };
}

/** The table's own rows, `doc -> table`, where `doc` is the parameter `rows`. */
function ownRows({ table, columns, expressions = {} }: TableInsert): string {
  const values = columns.map((column) => expressions[column] ?? `r.${column}`);
  return `select ${values.join(', ')}
    from doc, jsonb_populate_recordset(null::${table}, doc.rows -> '${table}') r`;
}

function insertExpression(insert: TableInsert): string {
  const { table, columns, onConflict, select, returning } = insert;
  const rows = select ?? ownRows(insert);
  const conflict = onConflict ? ` on conflict ${onConflict}` : '';
  const result = returning ? ` returning ${returning}` : '';
  return `new_${table} as (insert into ${table} (${columns.join(', ')}) ${rows}${conflict}${result})`;
}

/**
 * Declares inserts into several tables as one statement. Inserts without rows are omitted, since they would cost the
 * executor time. `rest` may add expressions and ends in a SELECT.
 */
export function insertRows<Params extends { rows: string }, Row>(
  name: string,
  inserts: readonly TableInsert[],
): (rows: RowsByTable, rest: string) => Statement<Params, Row> {
  const variant = statementVariants<Params, Row>(name);
  return (rows, rest) => {
    const expressions = inserts
      .filter(({ table, selectsFrom = table }) => rows[selectsFrom]?.length)
      .map((insert) => `, ${insertExpression(insert)}`);
    const doc = 'with doc as materialized (select :rows::jsonb as rows)';
    return variant(`${doc}${expressions.join('\n')} ${rest}`);
  };
}

export function joinRows(all: readonly RowsByTable[]): RowsByTable {
  const joined: Record<string, unknown[]> = {};
  for (const each of all)
    for (const [table, rows] of Object.entries(each)) (joined[table] ??= []).push(...rows);
  return joined;
}

interface Property {
  kind?: string;
  name?: string;
  generated?: unknown;
  joinColumns?: unknown;
}

/** The columns that an INSERT may name, in the order of the entity; Postgres writes the generated ones. */
export function columnsOf({ meta }: Pick<EntitySchema, 'meta'>): string[] {
  return Object.entries<Property>(meta.properties)
    .filter(([, { generated, joinColumns }]) => !generated && !joinColumns)
    .map(([key, { name, kind }]) => name ?? snakeCase(key) + (kind === 'm:1' ? '_id' : ''));
}

export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of the first row are written. */
export interface WrittenTable {
  name: keyof Tables;
  key: readonly string[];
  /** Written when a row is created, and not updated later. */
  insertOnly?: readonly string[];
  /** The column that is false for a disabled record. */
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

/** The variants of each generated statement, by its name. */
const generated = new Map<string, ReturnType<typeof statementVariants<object, never>>>();

function generate<Params extends object, Row>(name: string, text: string): Statement<Params, Row> {
  const variant = generated.get(name) ?? statementVariants<object, never>(name);
  generated.set(name, variant);
  return variant(text);
}

interface Upserted {
  created: number;
  updated: number;
}

/** An unchanged row is not touched, so that an import of the same file writes nothing. */
export async function upsertRows(
  sql: Sql,
  table: WrittenTable,
  rows: readonly Row[],
): Promise<Upserted> {
  const text = upsertSql(table, Object.keys(rows[0] ?? {}));
  const upsert = generate<{ rows: string }, Upserted>(`upsert_${table.name}`, text);
  return (await sql.first(upsert, { rows: JSON.stringify(rows) })) ?? { created: 0, updated: 0 };
}

/**
 * Unchanged rows are not locked, as `on conflict` would do: decisions and creates would wait for them, agents above all,
 * until an import ends. Each row is found by its key, since a join would be planned for the table's first size.
 */
function upsertSql(
  { name, key, insertOnly = [] }: WrittenTable,
  columns: readonly string[],
): string {
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
      from jsonb_populate_recordset(null::${name}, :rows::jsonb) g),
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

/** Locks the rows that `upsertRows` will change, in the order of their ids. */
export async function lockChanging(
  sql: Sql,
  { name, key }: WrittenTable,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  const lock = generate<{ rows: string }, never>(
    `lock_changing_${name}`,
    `select from ${name} t join jsonb_populate_recordset(null::${name}, :rows::jsonb) g
       on ${sameKeySql(key)}
     where not (${isSameSql(columns)}) order by t.id for no key update of t`,
  );
  await sql.all(lock, { rows: JSON.stringify(rows) });
}

/** Disables the rows of other keys than these, or deletes them if the table has no flag. Returns how many. */
export async function removeMissing(
  sql: Sql,
  { name, key, flag }: WrittenTable,
  rows: readonly Row[],
  where = 'true',
): Promise<number> {
  const given = `select from jsonb_populate_recordset(null::${name}, :rows::jsonb) g`;
  const remove = flag
    ? `update ${name} t set ${flag} = false${timeSql(name)} where ${flag} and`
    : `delete from ${name} t where`;
  const removal = generate<{ rows: string }, { removed: number }>(
    `remove_missing_${name}`,
    `with removed as (
       ${remove} ${where} and not exists (${given} where ${sameKeySql(key)}) returning 1)
     select count(*)::int as removed from removed`,
  );
  const removed = await sql.first(removal, { rows: JSON.stringify(rows, [...key]) });
  return removed?.removed ?? 0;
}
