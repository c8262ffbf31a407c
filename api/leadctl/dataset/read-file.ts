import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { recordFromCells } from '../../../domain/dataset/csv-cells.ts';
import { sectionNames } from '../../../domain/dataset/sections.ts';
import type { SectionName } from '../../../domain/dataset/sections.ts';
import { OperatorError } from '../operator.ts';

/** The dataset in a JSON file, or of one section in a CSV file whose first row has the fields' names. */
export async function readDatasetFile(file: string, section?: string): Promise<unknown> {
  const text = await readText(file);
  if (section === undefined) return parseJson(text, file);
  if (!isSection(section)) {
    throw new OperatorError(
      `There is no section ${section}. There are: ${sectionNames.join(', ')}.`,
    );
  }
  return { [section]: parseCsv(text, file).map((cells) => recordFromCells(section, cells)) };
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new OperatorError(`${file} cannot be read: ${error.message}.`);
  });
  if (!isUtf8(bytes)) throw new OperatorError(`${file} cannot be read: it is not UTF-8.`);
  return new TextDecoder().decode(bytes);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

function parseCsv(text: string, file: string): Record<string, string>[] {
  try {
    return parse(text, { bom: true, columns: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    if (error instanceof CsvError) throw new OperatorError(`${file} is not CSV: ${error.message}.`);
    throw error;
  }
}

function isSection(name: string): name is SectionName {
  return (sectionNames as string[]).includes(name);
}
