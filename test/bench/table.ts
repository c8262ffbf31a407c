import process from 'node:process';
import { tableText } from '../../cli/table.ts';

export function printTable(head: string[], rows: readonly (string | number)[][]): void {
  print(tableText(head, rows));
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
