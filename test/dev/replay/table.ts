/** The cells of a table that a command printed, row by row. */
export function tableIn(stdout: string): string[][] {
  const rows = stdout.split('\n').filter((line) => line.startsWith('│'));
  return rows.map((row) =>
    row
      .split('│')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
