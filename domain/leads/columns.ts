import { fields } from './fields.ts';

/** A value as a column of the lead holds it; lists for the list columns. */
export type ColumnValue = string | number | boolean | readonly string[] | null;
export type Columns = Record<string, ColumnValue>;

/** The columns that hold lists, which are never null. */
const listColumns: ReadonlySet<string> = new Set(
  fields.filter((field) => field.type === 'texts').flatMap((field) => field.column ?? []),
);

export function isEmptyColumn(value: ColumnValue | undefined): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

export function emptyColumn(column: string): ColumnValue {
  return listColumns.has(column) ? [] : null;
}

export function asList(value: ColumnValue | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** Fills the empty columns from `filler`. */
export function fillEmpty(columns: Columns, filler: Columns): Columns {
  const filled = { ...columns };
  for (const [column, value] of Object.entries(filler)) {
    if (isEmptyColumn(filled[column]) && !isEmptyColumn(value)) filled[column] = value;
  }
  return filled;
}
