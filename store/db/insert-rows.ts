import { columnsOf } from '../tables/table.ts';
import type { NewRow, Tables } from '../tables/index.ts';
import type { Sql } from './database.ts';

/**
 * Rows for several tables in one statement. The foreign keys between them are checked at its end, so
 * their order does not matter. Values are JSON: times as ISO texts, decimals as texts.
 */
export type Row = Record<string, unknown>;
export type RowsByTable = { readonly [Table in keyof Tables]?: readonly NewRow<Table>[] };

export interface TableInsert {
  table: keyof Tables;
  /** Only the columns that are given; the others keep their defaults. */
  columns: readonly string[];
  /** What a column holds where a row has null for it, which stands for JSON's own null too. */
  whenNull?: Readonly<Record<string, string>>;
  onConflict?: string;
  /** In place of the table's own rows: a SELECT over the common table expressions before it. */
  select?: string;
  /** Which table's rows that SELECT is about: without any of them it inserts nothing. */
  selectsFrom?: keyof Tables;
  returning?: string;
}

type InsertOptions = Omit<Partial<TableInsert>, 'table'> & {
  /** Columns that always get their default. */
  omit?: readonly string[];
};

/** An insert of all columns of an entity, unless the options name some. */
export function insertInto(
  entity: Parameters<typeof columnsOf>[0] & { tableName: keyof Tables },
  { omit = [], ...options }: InsertOptions = {},
): TableInsert {
  const columns = columnsOf(entity).filter((column) => !omit.includes(column));
  return { table: entity.tableName, columns, ...options };
}

/** The table's own rows, `doc -> table`, where `doc` is the parameter `rows`. */
function ownRows({ table, columns, whenNull = {} }: TableInsert): string {
  const values = columns.map((column) =>
    whenNull[column] ? `coalesce(r.${column}, ${whenNull[column]})` : `r.${column}`,
  );
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

/** All the inserts as one statement; `rest` may add expressions and ends in a SELECT. */
export function insertStatement(inserts: readonly TableInsert[], rest: string): string {
  const expressions = inserts.map(insertExpression).join(',\n');
  return `with doc as materialized (select :rows::jsonb as rows)${expressions && `, ${expressions}`} ${rest}`;
}

/** The inserts that have something to insert: each costs the executor its start and end, rows or not. */
export function insertsWithRows(
  inserts: readonly TableInsert[],
  rows: RowsByTable,
): readonly TableInsert[] {
  return inserts.filter(({ table, selectsFrom = table }) => rows[selectsFrom]?.length);
}

/** Runs such a statement; returns the id of the outbox row that it wrote, if it wrote one. */
export async function runInserts(
  sql: Sql,
  statement: string,
  rows: object,
  values: object,
): Promise<number | null> {
  const result = await sql.queryOne<{ outboxId: number | null }>(statement, {
    ...values,
    rows: JSON.stringify(rows),
  });
  return result?.outboxId ?? null;
}
