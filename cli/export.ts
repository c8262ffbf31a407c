import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Option } from 'commander';
import type { Database } from '../store/db/database.ts';
import { exportDataset } from '../store/catalogue/dataset/export-dataset.ts';
import { exportValues } from './export/values.ts';
import { fileError, writeAtomically } from './files.ts';
import type { CommandGroup, Operator } from './operator.ts';

export const exportCommand: CommandGroup = (program, run) => {
  const command = program
    .command('export')
    .description(
      'Write the reference data, agents and active rules as a dataset that import reads.',
    )
    .argument('[file]', 'where to; the terminal without it')
    .action(run(exportTo));
  command
    .command('values')
    .description(
      'Print the values that fields of a lead are matched against, to hand to an integrator.',
    )
    .addOption(
      new Option('--format <format>', 'as a page or as data').choices(FORMATS).default('md'),
    )
    .action(run(exportValues));
};

const FORMATS = ['md', 'json'] as const;

/** The file or the stream takes no more data; `cause` is the reason. */
class OutputError extends Error {
  override name = 'OutputError';
}

function failOutput(cause: unknown): never {
  throw new OutputError('The output cannot be written.', { cause });
}

async function exportTo(operator: Operator, file?: string) {
  const database = await operator.database();
  if (file === undefined) {
    await writeDataset(database, process.stdout).catch((error: unknown) => {
      // main.ts reports a failed standard output for all commands.
      if (!(error instanceof OutputError)) throw error;
    });
    return;
  }
  const records = await writeAtomically(file, (path) => writeFile(path, database)).catch(
    (error) => {
      throw error instanceof OutputError ? fileError(file, 'written', error.cause) : error;
    },
  );
  operator.show({ file, records }, (shown) => `${records} records in ${shown.file}`);
}

async function writeFile(path: string, database: Database): Promise<number> {
  const stream = createWriteStream(path).on('error', () => undefined);
  await once(stream, 'open').catch(failOutput);
  const records = await writeDataset(database, stream);
  await finished(stream.end()).catch(failOutput);
  return records;
}

/** One record a line, so that two exports can be compared by `diff`. Returns the number of records. */
async function writeDataset(database: Database, to: Writable): Promise<number> {
  let section = '';
  let records = 0;
  await exportDataset(database, async (name, batch) => {
    const opening =
      name === section ? ',\n' : `${section === '' ? '{' : '\n  ],'}\n  "${name}": [\n`;
    const lines = batch.map((record) => `    ${JSON.stringify(record)}`).join(',\n');
    section = name;
    records += batch.length;
    if (to.errored) failOutput(to.errored);
    if (!to.write(opening + lines)) await once(to, 'drain').catch(failOutput);
  });
  to.write(section === '' ? '{}\n' : '\n  ]\n}\n');
  return records;
}
