import type { Sql } from './database.ts';

/**
 * Rows for several tables in one statement. The foreign keys between them are checked at its end, so
 * their order does not matter. Values are JSON: times as ISO texts, decimals as texts.
 */
export type Row = Record<string, unknown>;
export type RowsByTable<Table extends string> = { readonly [Name in Table]?: readonly Row[] };

export interface TableInsert {
  table: string;
  /** Only the columns that are given; the others keep their defaults. */
  columns: readonly string[];
  /** What a column holds where a row has null for it, which stands for JSON's own null too. */
  whenNull?: Readonly<Record<string, string>>;
  onConflict?: string;
  /** In place of the table's own rows: a SELECT over the common table expressions before it. */
  select?: string;
  /** Which table's rows that SELECT is about: without any of them it inserts nothing. */
  selectsFrom?: string;
  returning?: string;
}

/** The table's own rows, `doc -> table`, where `doc` is the statement's first parameter as jsonb. */
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
  return `with doc as materialized (select $1::jsonb as rows)${expressions && `, ${expressions}`} ${rest}`;
}

/** The inserts that have something to insert: each costs the executor its start and end, rows or not. */
export function insertsWithRows(inserts: readonly TableInsert[], rows: object): TableInsert[] {
  const byTable = rows as Record<string, readonly Row[] | undefined>;
  return inserts.filter(({ table, selectsFrom = table }) => byTable[selectsFrom]?.length);
}

/** Runs such a statement; returns the id of the outbox row that it wrote, if it wrote one. */
export async function runInserts(
  sql: Sql,
  statement: string,
  rows: object,
  more: readonly unknown[],
): Promise<number | null> {
  const result = await sql.query<{ outboxId: number | null }>(statement, [
    JSON.stringify(rows),
    ...more,
  ]);
  return result[0]?.outboxId ?? null;
}
