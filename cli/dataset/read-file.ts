import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import {
  createRowReader,
  csvColumns,
  mayBeThousands,
} from '../../domain/catalogue/dataset/csv-cells.ts';
import {
  sections,
  type DatasetEvent,
  type SectionName,
} from '../../domain/catalogue/dataset/sections.ts';
import type { DatasetIssue } from '../../domain/validation-issues.ts';
import { fileError } from '../files.ts';
import { OperatorError } from '../operator.ts';
import { count } from '../text.ts';
import { splitJson } from './split-json.ts';

export type RecordLines = number[];

export async function* readDatasetFile(
  file: string,
  section?: SectionName,
  lines: RecordLines = [],
): AsyncGenerator<DatasetEvent> {
  if (section !== undefined && /\.json$/i.test(file))
    throw new OperatorError(`${file} is JSON: leave out --section, which is for a CSV file.`);
  const texts = readTexts(file);
  try {
    yield* section === undefined ? splitJson(texts) : readCsv(section, texts, lines);
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
  lines: RecordLines,
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

async function* readTexts(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(file))
      yield decoder.decode(bytes as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new OperatorError(`${file} cannot be read: it is not UTF-8.`);
    throw fileError(file, 'read', error);
  }
}

interface Row {
  record: string[];
  info: Info;
  raw: string;
}

async function* readCsv(
  section: SectionName,
  texts: AsyncGenerator<string>,
  lines: RecordLines,
): AsyncGenerator<DatasetEvent> {
  yield { kind: 'section', name: section, isList: true };
  const beginning = await readFirstLine(texts);
  refuseOtherForms(beginning);
  const delimiter = findDelimiter(beginning);
  const columns = csvColumns(section);
  const readRow = createRowReader(section);
  const rows = parse({
    delimiter,
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  // An error of either stream ends the rows, and the loop with it.
  pipeline(joinTexts(beginning, texts), rows, () => undefined);
  let header: readonly string[] | null = null;
  let index = 0;
  const findLine = createLineFinder();
  for await (const row of rows as AsyncIterable<Row>) {
    const { record } = row;
    const line = findLine(row);
    if (record.every((cell) => cell === '')) continue;
    if (header === null) {
      header = readHeader(section, record, line);
      continue;
    }
    const all = record.map((cell, at) => [header?.[at] ?? '', cell] as const);
    const cells = all.filter(([, cell]) => cell !== '');
    const of = { section, index };
    lines[index] = line;
    index += 1;
    if (record.length !== header.length) {
      const message = `has ${count(record.length, 'cell')} where the first row has ${header.length}`;
      const [keyField] = sections[section].key;
      const unreadKey = cells.find(([field]) => field === keyField)?.[1];
      yield { kind: 'issue', ...of, message, unreadKey };
      continue;
    }
    for (const [field, cell] of cells) {
      if (!mayBeThousands(cell, columns.get(field), delimiter)) continue;
      const message = `"${cell}" may be an amount in thousands: write it without points`;
      yield { kind: 'issue', ...of, field, message };
    }
    yield { kind: 'record', ...of, value: readRow(Object.fromEntries(cells)) };
  }
  if (header === null) throw new OperatorError('The file is empty: its first row has the columns.');
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

async function readFirstLine(texts: AsyncGenerator<string>): Promise<string> {
  let beginning = '';
  while (!/[\r\n]/.test(beginning.trimStart())) {
    const next = await texts.next();
    if (next.done) break;
    beginning += next.value;
  }
  return beginning;
}

async function* joinTexts(beginning: string, texts: AsyncGenerator<string>) {
  yield beginning;
  yield* texts;
}

function refuseOtherForms(beginning: string): void {
  const [first = ''] = beginning.trimStart().split(/[\r\n]/);
  if (/^"?sep=/i.test(first))
    throw new OperatorError(`line 1: ${first} is no row of names. Delete this line.`);
  if (first.includes('\t') && !/[,;]/.test(first))
    throw new OperatorError(
      'line 1: tabs separate the names. Save the file with commas or semicolons.',
    );
}

function findDelimiter(beginning: string): string {
  return /^\s*[^\r\n,;]*([,;])/.exec(beginning)?.[1] ?? ',';
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
