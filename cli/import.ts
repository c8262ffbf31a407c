import process from 'node:process';
import { Option, type Command } from 'commander';
import { sectionNames } from '../store/dataset/record-ids.ts';
import { wholeNumber } from './arguments.ts';
import { withConsent } from './confirm.ts';
import type { ImportFlags } from './dataset/import-file.ts';
import { loaded, type CommandGroup } from './operator.ts';

export const importCommand: CommandGroup = (program, run) => {
  withConsent(program.command('import'))
    .description('Read reference data, agents and routing rules from a dataset file.')
    .argument('[file]', 'a JSON dataset, or with --section a CSV file')
    .addOption(
      new Option(
        '--section <name>',
        'the file is a CSV of this section; lists in a cell are separated by |',
      ).choices(sectionNames),
    )
    .option('--disable-missing', 'disable what the sections in the file leave out')
    .option('--limit <records>', 'how many changed records of a section to print', wholeNumber, 20)
    .option('--resolve', 'fill the leads whose earlier values match by now')
    .option('--schema', 'print the JSON Schema of a dataset, for an editor')
    .action((file: string | undefined, flags: ImportFlags, command: Command) => {
      if (flags.schema) return printSchema();
      if (file === undefined) command.error("error: missing required argument 'file'");
      return run(loaded(async () => (await import('./dataset/import-file.ts')).importAndReport))(
        file,
        flags,
      );
    });
};

async function printSchema(): Promise<void> {
  const { datasetJsonSchema } = await import('../app/dataset/json-schema.ts');
  process.stdout.write(`${JSON.stringify(datasetJsonSchema(), null, 2)}\n`);
}
