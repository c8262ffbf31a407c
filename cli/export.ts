import process from 'node:process';
import { Option, type Command } from 'commander';
import type { ExportedSection } from '../app/dataset/export.ts';
import { sectionNames, type SectionName } from '../store/dataset/record-ids.ts';
import { writeTextFile } from './files.ts';
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
  const { csvText } = await import('../app/dataset/csv.ts');
  await writeText(file, csvText(section, []));
}

/** main.ts reports a failed standard output for all commands. */
async function writeText(file: string | undefined, text: string): Promise<void> {
  if (file === undefined) process.stdout.write(text);
  else await writeTextFile(file, text);
}

const FORMATS = ['md', 'json'] as const;

interface ExportFlags {
  section?: SectionName;
  csv: boolean;
  template?: boolean;
}

async function exportTo(operator: Operator, file: string | undefined, flags: ExportFlags) {
  const { section, csv } = flags;
  const { exportDataset } = await import('../app/dataset/export.ts');
  const { csvText } = await import('../app/dataset/csv.ts');
  const exported = await exportDataset(await operator.database(), section && [section]);
  const all = exported.flatMap(([, records]) => records);
  await writeText(file, section && csv ? csvText(section, all) : jsonText(exported));
  if (file !== undefined)
    operator.show(
      { file, records: all.length },
      (shown) => `${count(all.length, 'record')} in ${shown.file}.`,
    );
}

/** One record per line, so that `diff` can compare two exports. */
function jsonText(exported: readonly ExportedSection[]): string {
  const sections = exported.map(([name, records]) => {
    const lines = records.map((record) => `    ${JSON.stringify(record)}`);
    return `\n  "${name}": [\n${lines.join(',\n')}\n  ]`;
  });
  return `{${sections.join(',')}${sections.length > 0 ? '\n' : ''}}\n`;
}
