import { readFile } from 'node:fs/promises';
import { CsvError, parse, type Info } from 'csv-parse/sync';
import type { GivenDataset } from '../../app/dataset/checks.ts';
import { createRowReader, csvColumns, mayBeThousands } from '../../app/dataset/csv.ts';
import { issueAt, type DatasetIssue } from '../../domain/validation-issues.ts';
import type { SectionName } from '../../store/dataset/record-ids.ts';
import { sectionOf } from '../../store/dataset/sections.ts';
import { fileError } from '../files.ts';
import { OperatorError } from '../operator.ts';
import { count } from '../text.ts';

export interface DatasetFile extends GivenDataset {
  /** Of the records of a CSV. */
  lines: readonly number[];
}

export async function readDatasetFile(file: string, section?: SectionName): Promise<DatasetFile> {
  if (section !== undefined && /\.json$/i.test(file))
    throw new OperatorError(`${file} is JSON: leave out --section, which is for a CSV file.`);
  const text = await readText(file);
  try {
    return section === undefined ? readJson(text) : readCsv(section, text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      const hint = /\.csv$/i.test(file) ? '. A spreadsheet needs --section' : '';
      throw new OperatorError(`${file} is not JSON: ${error.message}${hint}`);
    }
    if (error instanceof CsvError) throw new OperatorError(`${file} is not CSV: ${error.message}.`);
    throw error;
  }
}

export function issueInCsv(
  { place, message }: DatasetIssue,
  section: SectionName,
  lines: readonly number[],
): DatasetIssue {
  const record = new RegExp(`\\b${section}\\[(\\d+)\\](?:\\.(\\w*)[^\\s]*)?`);
  const inCsv = (text: string) =>
    text.replace(record, (_, index: string, field?: string) => {
      const line = `line ${lines[Number(index)]}`;
      if (field === undefined) return line;
      return `${line}, ${field === '' ? 'below no name' : `column ${field}`}`;
    });
  return { place: inCsv(place), message: inCsv(message) };
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw fileError(file, 'read', error);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError(`${file} cannot be read: it is not UTF-8.`);
  }
}

function readJson(text: string): DatasetFile {
  const dataset = parseJson(text);
  const issues = findRepeatedKeys(text).map((place) => ({ place, message: 'is there already' }));
  return { dataset, issues, lines: [] };
}

/** `JSON.parse` names the position of most errors, but not that of an unexpected token. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    if (!isUnexpectedToken(error)) throw error;
    let [start, end] = [0, text.length];
    while (end - start > 1) {
      const middle = Math.floor((start + end) / 2);
      if (isInvalid(text.slice(0, middle))) end = middle;
      else start = middle;
    }
    const before = text.slice(0, start).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new SyntaxError(`line ${before.length} column ${column}: ${message}`, { cause: error });
  }
}

const isUnexpectedToken = (error: unknown) =>
  (error as Error).message.startsWith('Unexpected token');

function isInvalid(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return false;
  } catch (error) {
    return isUnexpectedToken(error);
  }
}

const JSON_MARKS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|([[{])|[\]}]/g;

/** Of the outermost object: `JSON.parse` keeps only the last of several sections with one name. */
function findRepeatedKeys(json: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [, text = '', isKey, isOpening] of json.matchAll(JSON_MARKS)) {
    if (text === '') depth += isOpening ? 1 : -1;
    else if (isKey && depth === 1) keys.push(String(JSON.parse(text)));
  }
  return keys.filter((key, at) => keys.indexOf(key) < at);
}

interface Row {
  record: string[];
  info: Info;
  raw: string;
}

function readCsv(section: SectionName, text: string): DatasetFile {
  refuseOtherForms(text);
  const delimiter = /^\s*[^\r\n,;]*([,;])/.exec(text)?.[1] ?? ',';
  const options = { info: true, raw: true, relax_column_count: true, skip_empty_lines: true };
  const parsed: unknown = parse(text, { ...options, delimiter, trim: true });
  const lineOf = createLineFinder();
  const [first, ...rows] = (parsed as Row[])
    .map((row) => ({ cells: row.record, line: lineOf(row) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (!first) throw new OperatorError('The file is empty: its first row has the columns.');
  const header = readHeader(section, first.cells, first.line);
  const read = rows.map(({ cells }, index) =>
    readRow({ section, index, header, delimiter }, cells),
  );
  return {
    dataset: { [section]: read.map(({ record }) => record) },
    issues: read.flatMap(({ issues }) => issues),
    unreadKeys: read.flatMap(({ unreadKey }) => (unreadKey ? [[section, unreadKey]] : [])),
    lines: rows.map(({ line }) => line),
  };
}

interface RowContext {
  section: SectionName;
  index: number;
  header: readonly string[];
  delimiter: string;
}

function readRow({ section, index, header, delimiter }: RowContext, row: readonly string[]) {
  const cells = row.map((cell, at) => [header[at] ?? '', cell] as const);
  const given = cells.filter(([, cell]) => cell !== '');
  if (row.length !== header.length) {
    const message = `has ${count(row.length, 'cell')} where the first row has ${header.length}`;
    const [keyField] = sectionOf(section).key;
    const unreadKey = given.find(([field]) => field === keyField)?.[1];
    return { record: undefined, issues: [issueAt([section, index], message)], unreadKey };
  }
  const columns = csvColumns(section);
  const issues = given
    .filter(([field, cell]) => mayBeThousands(cell, columns.get(field), delimiter))
    .map(([field, cell]) => {
      const message = `"${cell}" may be an amount in thousands: write it without points`;
      return issueAt([section, index, field], message);
    });
  return { record: createRowReader(section)(Object.fromEntries(given)), issues };
}

/** Call it for every record, in order. */
function createLineFinder() {
  let quotedCrLfs = 0;
  return ({ info, raw }: Row): number => {
    const lineBreaks = raw.trim().match(/\r\n|\r|\n/g) ?? [];
    // The parser counts a CRLF within quotes as two lines.
    quotedCrLfs += lineBreaks.filter((lineBreak) => lineBreak === '\r\n').length;
    return info.lines - quotedCrLfs - lineBreaks.length;
  };
}

function refuseOtherForms(text: string): void {
  const [first = ''] = text.trimStart().split(/[\r\n]/);
  if (/^"?sep=/i.test(first))
    throw new OperatorError(`line 1: ${first} is no row of names. Delete this line.`);
  if (first.includes('\t') && !/[,;]/.test(first))
    throw new OperatorError(
      'line 1: tabs separate the names. Save the file with commas or semicolons.',
    );
}

function readHeader(section: SectionName, record: readonly string[], line: number): string[] {
  const fields = [...csvColumns(section).keys()];
  const byName = new Map(fields.map((field) => [field.toLowerCase(), field]));
  const header = record.map((name) => byName.get(name.toLowerCase()) ?? name);
  const issues = header.flatMap((name, at) => {
    if (name !== '' && !fields.includes(name))
      return [`line ${line}, column ${name}: is not known`];
    const isRepeated = name !== '' && header.indexOf(name) < at;
    return isRepeated ? [`line ${line}, column ${name}: is there already`] : [];
  });
  if (issues.length === 0) return header;
  throw new OperatorError([...issues, `The columns of ${section} are ${fields.join(', ')}.`]);
}
