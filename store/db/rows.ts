// Types only: the ORM takes long to load, and most commands of leadctl need none of it.
import type { EntitySchema } from '@mikro-orm/core';
import type { NewRow, Tables } from '../tables/index.ts';
import { statementVariants, type Statement } from './statement.ts';

/**
 * Foreign keys are checked at the statement's end. Values are JSON: times as ISO texts, decimals as texts.
 */
export type Row = Record<string, unknown>;
export type RowsByTable = { readonly [Table in keyof Tables]?: readonly NewRow<Table>[] };

export interface TableInsert {
  table: keyof Tables;
  columns: readonly string[];
  /** How the value of a column is made of the row `r`, where not by its name alone. */
  expressions?: Readonly<Record<string, string>>;
  onConflict?: string;
  /** In place of the table's own rows: a SELECT over the common table expressions before it. */
  select?: string;
  /** Which table's rows that SELECT is about: without any of them it inserts nothing. */
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
 * Declares inserts into several tables as one statement. Those without rows are left out, since they would cost the
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
