type Cell = string | number | null;

/** Aligns the columns with two spaces between them. A cell without a value becomes `-`. */
export function formatTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => String(cell ?? '') || '-'));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => width(line[column]))));
  const pad = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

const width = (cell = '') => cell.length;
