import Table from 'cli-table3';
import stringWidth from 'string-width';
import { clockTime, currentReader, fieldLines, valueText } from './text.ts';

/** Tables and lines that are never wider than the terminal. */

/** The columns of a table: the heading of each, and the field or the value of a record that it shows. */
type Columns<Row> = Record<string, keyof Row | ((row: Row) => unknown)>;

interface TableOptions<Row> {
  /** The text in place of a table without rows. */
  none?: string;
  /** The most useful columns, for a terminal that is too narrow for all. */
  narrow?: readonly string[];
  /** What some of these show there instead. */
  shorter?: Columns<Row>;
}

export function tableOf<Row>(
  columns: Columns<Row>,
  { none, narrow, shorter }: TableOptions<Row> = {},
) {
  return (rows: readonly Row[]): string => {
    const cellsOf = (of: Columns<Row>) =>
      rows.map((row) =>
        Object.values(of).map((column) =>
          typeof column === 'function' ? column(row) : row[column],
        ),
      );
    const fewer = shorter && cellsOf({ ...columns, ...shorter });
    return tableText(Object.keys(columns), cellsOf(columns), none, narrow, fewer);
  };
}

type Cells = readonly (readonly unknown[])[];

/** All columns, else those of `narrow` with the cells of `narrowRows`, else the records below each other. */
export function tableText(
  head: readonly string[],
  rows: Cells,
  none = 'Nothing found.',
  narrow?: readonly string[],
  narrowRows = rows,
): string {
  if (rows.length === 0) return none;
  const whole = borderedText(head, rows);
  if (whole !== null) return whole;
  const isKept = (_: unknown, at: number) => narrow?.includes(head[at] ?? '') === true;
  const some =
    narrow &&
    borderedText(
      head.filter(isKept),
      narrowRows.map((row) => row.filter(isKept)),
    );
  if (some) return `${some}\nA wider terminal, or --json, shows more.`;
  return rows.map((row) => recordText(head, row)).join('\n\n');
}

const TEXT_WIDTHS = [72, 48, 36, 24, 16];

/** Null where the table is too wide for the terminal, however its texts are broken between words. */
function borderedText(head: readonly string[], rows: Cells): string | null {
  const { width, timeZone } = currentReader();
  const hasTimes = head.map((_, at) => rows.some((row) => row[at] instanceof Date));
  const titles = head.map((title, at) => (hasTimes[at] ? `${title}\n${timeZone}` : title));
  const texts = rows.map((row) => row.map(cellText));
  for (const textWidth of TEXT_WIDTHS) {
    const broken = [titles, ...texts].map((row) => row.map((text) => breakLines(text, textWidth)));
    const widths = titles.map((_, at) => widestOf(broken.map((row) => row[at] ?? '')));
    if (widths.reduce((sum, each) => sum + each + 3, 1) > width) continue;
    const [first = [], ...others] = broken;
    const table = new Table({ head: first, style: { head: [], border: [] } });
    table.push(...others);
    return table.toString();
  }
  return null;
}

/** The column's title has the time zone. */
function cellText(value: unknown): string {
  return value instanceof Date ? clockTime(value) : valueText(value);
}

function recordText(head: readonly string[], row: readonly unknown[]): string {
  const labels = head.map((title) => title.replace('\n', ' ') || 'state');
  const labelWidth = widestOf(labels);
  const room = Math.max(currentReader().width - labelWidth - 2, 1);
  const fields = labels.map((label, at): [string, string] => [
    label,
    breakLines(valueText(row[at]).trimEnd(), Math.min(room, 72), room)
      .split('\n')
      .join(`\n${' '.repeat(labelWidth + 2)}`),
  ]);
  return fieldLines(fields, labelWidth);
}

/** Breaks lines between words, and words that are longer than `longestWord` anywhere. */
function breakLines(text: string, width: number, longestWord = Infinity): string {
  return text
    .split('\n')
    .map((line) => breakLine(line, width, longestWord))
    .join('\n');
}

function breakLine(line: string, width: number, longestWord: number): string {
  if (widthOf(line) <= width) return line;
  const words = line.split(' ').flatMap((word) => breakWord(word, longestWord));
  return fillLines(words, width, (word) => (widthOf(word) + 2 <= longestWord ? '  ' : ''));
}

function fillLines(words: readonly string[], width: number, indentOf: (word: string) => string) {
  const [first = '', ...others] = words;
  const lines = [first];
  for (const word of others) {
    const longer = `${lines.at(-1)} ${word}`;
    if (widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(indentOf(word) + word);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

/**
 * Breaks lines outside of tables between words where the terminal ends; what follows stands below the value of a line
 * with a label, else two spaces to the right. A command of leadctl is kept in one line, to be copied, and may be wider.
 */
export function wrapLines(text: string): string {
  const { width } = currentReader();
  return text
    .split('\n')
    .map((line) => (widthOf(line) <= width ? line : wrapLine(line, width)))
    .join('\n');
}

const LABEL = /^ *\S.*? {2,}/;

function wrapLine(line: string, width: number): string {
  const beginning = /^ */.exec(line)?.[0].length ?? 0;
  const label = LABEL.exec(line)?.[0].length ?? Infinity;
  const indent = label <= width / 2 ? label : beginning + 2;
  return fillLines(wordsOf(line), width, (word) =>
    ' '.repeat(widthOf(word) + indent <= width ? indent : beginning + 2),
  );
}

/** The words of a line; from a command on it is one word. */
function wordsOf(line: string): string[] {
  const at = line.search(/(?<= )\(?leadctl /);
  return at < 0 ? line.split(' ') : [...line.slice(0, at - 1).split(' '), line.slice(at)];
}

function breakWord(word: string, longest: number): string[] {
  if (widthOf(word) <= longest) return [word];
  const parts = [''];
  for (const character of word) {
    const longer = parts.at(-1) + character;
    if (widthOf(longer) <= longest) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}

/** Spread over the arguments of a call, the rows of a large table would be too many. */
function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0);
}

/** The width of the widest line, in columns of the terminal. */
function widthOf(text: string): number {
  return Math.max(...text.split('\n').map((line) => stringWidth(line)));
}
