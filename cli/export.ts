import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import {
  sectionNames,
  type SectionName,
  type StoredRecord,
} from '../domain/catalogue/dataset/sections.ts';
import type { Database } from '../store/db/database.ts';
import { fileError, writeAtomically, writeTextFile } from './files.ts';
import { loaded, type CommandGroup, type Operator } from './operator.ts';
import { count } from './text.ts';

export const exportCommand: CommandGroup = (program, run) => {
  const command = program
    .command('export')
    .description(
      'Write the reference data, agents and active rules as a dataset that import reads.',
    )
    .argument('[file]', 'where to; the terminal without it')
    .addOption(new Option('--section <name>', 'only this section').choices(sectionNames))
    .option('--csv', 'the section as a spreadsheet, which import --section reads', false)
    .option('--template', 'print an empty spreadsheet with the columns of the section')
    .action((file: string | undefined, flags: ExportFlags, command: Command) => {
      const { section, csv, template } = flags;
      if ((csv || template) && section === undefined)
        command.error('error: a spreadsheet has one section: name it by --section');
      if (file?.toLowerCase().endsWith('.csv') && !csv && !template)
        command.error(
          'error: a .csv file is written with --csv and --section; without them it is JSON',
        );
      if (section && template) return writeTemplate(file, section);
      return run(exportTo)(file, flags);
    });
  const values = command.command('values');
  values
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...program.options] })
    .description(
      'Print the values that fields of a lead are matched against, to hand to an integrator.',
    )
    .addOption(
      new Option('--format <format>', 'as a page or as data').choices(FORMATS).default('md'),
    )
    .action((format: { format: (typeof FORMATS)[number] }) => {
      if (Object.keys(command.opts()).some((name) => command.getOptionValueSource(name) === 'cli'))
        values.error('error: export values takes --format alone');
      return run(loaded(async () => (await import('./export/values.ts')).exportValues))(format);
    });
};

async function writeTemplate(file: string | undefined, section: SectionName): Promise<void> {
  const { opening: header } = await csvFormat(section);
  if (file === undefined) process.stdout.write(header);
  else await writeTextFile(file, header);
}

const FORMATS = ['md', 'json'] as const;

interface ExportFlags {
  section?: SectionName;
  csv: boolean;
  template?: boolean;
}

class OutputError extends Error {
  override name = 'OutputError';
}

function failOutput(cause: unknown): never {
  throw new OutputError('The output cannot be written.', { cause });
}

async function exportTo(operator: Operator, file: string | undefined, flags: ExportFlags) {
  const database = await operator.database();
  const write = (to: Writable) => writeDataset(database, to, flags);
  if (file === undefined) {
    await write(process.stdout).catch((error: unknown) => {
      // main.ts reports a failed standard output for all commands.
      if (!(error instanceof OutputError)) throw error;
    });
    return;
  }
  const records = await writeAtomically(file, (path) => writeFile(path, write)).catch((error) => {
    throw error instanceof OutputError ? fileError(file, 'written', error.cause) : error;
  });
  operator.show({ file, records }, (shown) => `${count(records, 'record')} in ${shown.file}.`);
}

async function writeFile(path: string, write: (to: Writable) => Promise<number>): Promise<number> {
  const stream = createWriteStream(path).on('error', () => undefined);
  await once(stream, 'open').catch(failOutput);
  const records = await write(stream);
  await finished(stream.end()).catch(failOutput);
  return records;
}

async function writeDataset(
  database: Database,
  to: Writable,
  { section, csv }: ExportFlags,
): Promise<number> {
  const { exportDataset } = await import('../store/catalogue/dataset/stored-records.ts');
  const format = section && csv ? await csvFormat(section) : jsonFormat();
  let records = 0;
  to.write(format.opening);
  await exportDataset(
    database,
    async (name, batch) => {
      records += batch.length;
      if (to.errored) failOutput(to.errored);
      if (!to.write(format.write(name, batch))) await once(to, 'drain').catch(failOutput);
    },
    section && [section],
  );
  to.write(format.closing());
  return records;
}

interface Format {
  opening: string;
  write(section: SectionName, batch: readonly StoredRecord[]): string;
  closing(): string;
}

/** One record per line, so that `diff` can compare two exports. */
function jsonFormat(): Format {
  let section = '';
  return {
    opening: '{',
    write(name, batch) {
      const opening =
        name === section ? ',\n' : `${section === '' ? '' : '\n  ],'}\n  "${name}": [\n`;
      section = name;
      return opening + batch.map((record) => `    ${JSON.stringify(record)}`).join(',\n');
    },
    closing: () => (section === '' ? '}\n' : '\n  ]\n}\n'),
  };
}

/** A spreadsheet needs the byte order mark to read UTF-8. */
async function csvFormat(section: SectionName): Promise<Format> {
  const { stringify } = await import('csv-stringify/sync');
  const { createRowWriter, csvColumns } = await import('../domain/catalogue/dataset/csv-cells.ts');
  const toCells = createRowWriter(section);
  return {
    opening: stringify([[...csvColumns(section).keys()]], { bom: true }),
    write: (_name, batch) => stringify(batch.map(toCells)),
    closing: () => '',
  };
}
