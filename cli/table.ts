import stringWidth from 'string-width';
import { clockTime, currentReader, valueText } from './text.ts';

type Columns<Row> = Record<string, keyof Row | ((row: Row) => unknown)>;

export function tableOf<Row>(columns: Columns<Row>, none?: string) {
  const cellsOf = (row: Row) =>
    Object.values(columns).map((column) =>
      typeof column === 'function' ? column(row) : row[column],
    );
  return (rows: readonly Row[]) => tableText(Object.keys(columns), rows.map(cellsOf), none);
}

const GAP = '  ';

/** Shortens the widest columns to the width of the terminal. */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
  none = 'No results',
): string {
  if (rows.length === 0) return none;
  const { timeZone } = currentReader();
  const titles = head.map((title, at) => {
    const hasTimes = rows.some((row) => row[at] instanceof Date);
    return title.toUpperCase() + (hasTimes ? ` (${timeZone})` : '');
  });
  const lines = [titles, ...rows.map((row) => row.map(cellText))];
  const widths = fittingWidths(head.map((_, at) => widestOf(lines.map((line) => line[at] ?? ''))));
  return lines
    .map((line) =>
      line
        .map((cell, at) => fitted(cell, widths[at] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function cellText(value: unknown): string {
  return (value instanceof Date ? clockTime(value) : valueText(value)) || '-';
}

/** `Math.max(...)` fails for a large table. */
function widestOf(cells: readonly string[]): number {
  return cells.reduce((widest, cell) => Math.max(widest, stringWidth(cell)), 0);
}

function fittingWidths(widths: number[]): number[] {
  const space = currentReader().width - GAP.length * (widths.length - 1);
  let fitting = widths;
  let excess = widths.reduce((sum, width) => sum + width, -space);
  for (; excess > 0 && Math.max(...fitting) > 1; excess -= 1) {
    const widest = Math.max(...fitting);
    fitting = fitting.with(fitting.indexOf(widest), widest - 1);
  }
  return fitting;
}

const graphemes = new Intl.Segmenter();

function fitted(cell: string, width: number): string {
  const missing = width - stringWidth(cell);
  if (missing >= 0) return cell + ' '.repeat(missing);
  let cut = '';
  for (const { segment } of graphemes.segment(cell)) {
    if (stringWidth(cut + segment) >= width) break;
    cut += segment;
  }
  return fitted(`${cut}…`, width);
}
