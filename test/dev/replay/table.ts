/** The cells of a table that a command printed, row by row. */
export const tableIn = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((row) => row.split(/ {2,}/));

export const HEAD = ['WORKFLOW', 'RESULT', 'RUNS', 'EVENT', 'HISTORY', 'CODE', 'EXAMPLE'];

export const passed = (type: string, runs: number) => [
  type,
  'passed',
  String(runs),
  '-',
  '-',
  '-',
  '-',
];
