import process from 'node:process';
import Table from 'cli-table3';

const STYLE = { head: [], border: [], compact: true };

export function printTable(head: string[], rows: readonly (string | number)[][]): void {
  const table = new Table({ head, style: STYLE });
  table.push(...rows);
  print(table.toString());
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
