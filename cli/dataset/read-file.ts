import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { createRowReader } from '../../domain/catalogue/dataset/csv-cells.ts';
import type { DatasetEvent, SectionName } from '../../domain/catalogue/dataset/sections.ts';
import { fileError } from '../files.ts';
import { OperatorError } from '../operator.ts';
import { splitJson } from './split-json.ts';

/** The dataset in a JSON file, or of one section in a CSV file whose first row has the fields' names. */
export async function* readDatasetFile(
  file: string,
  section?: SectionName,
): AsyncGenerator<DatasetEvent> {
  try {
    yield* section === undefined ? splitJson(readTexts(file)) : readCsv(section, readTexts(file));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new OperatorError(`${file} is not JSON: ${error.message}`);
    if (error instanceof CsvError) throw new OperatorError(`${file} is not CSV: ${error.message}.`);
    throw error;
  }
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

async function* readCsv(
  section: SectionName,
  texts: AsyncIterable<string>,
): AsyncGenerator<DatasetEvent> {
  yield { kind: 'section', name: section, isList: true };
  const readRow = createRowReader(section);
  const rows = parse({ bom: true, columns: true, skip_empty_lines: true, trim: true });
  // An error of either stream ends the rows, and the loop with it.
  pipeline(texts, rows, () => undefined);
  let index = 0;
  for await (const cells of rows as AsyncIterable<Record<string, string>>) {
    yield { kind: 'record', section, index, value: readRow(cells) };
    index += 1;
  }
}
