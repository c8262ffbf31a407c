import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { createOperator, type CommandGroup } from '../../cli/operator.ts';
import { startTestApi } from '../support/api.ts';
import { newFolder } from '../support/folder.ts';

export interface Answer {
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read every shape
  json: any;
  /** What standard error has of a command that succeeded. */
  note: string;
}

export interface Leadctl {
  /** Rejects with the error whose text the operator would see. */
  (...words: string[]): Promise<Answer>;
}

/** An API with a database of its own, which the commands use; both end with the test file. */
export async function startLeadctl(...groups: readonly CommandGroup[]) {
  const api = await startTestApi();
  afterAll(() => api.stop());
  return { api, leadctl: leadctlFor(groups, { DATABASE_URL: api.config.database.url }) };
}

/** The path of a new file of this content. */
export async function datasetFile(dataset: object): Promise<string> {
  const file = path.join(newFolder(), 'dataset.json');
  await writeFile(file, JSON.stringify(dataset));
  return file;
}

/** Wide enough for every table with all its columns. */
const COLUMNS = 400;

/** Runs commands as an operator types them in a wide window, on real connections; no question can be answered. */
export function leadctlFor(
  groups: readonly CommandGroup[],
  variables: Record<string, string>,
  /** What was written, also by a command that fails. */
  written: string[] = [],
): Leadctl {
  return async (...words) => {
    written.length = 0;
    let note = '';
    const isJson = words.includes('--json');
    const program = new Command('leadctl')
      .exitOverride()
      .configureOutput({ writeErr: (text) => void written.push(text) });
    for (const group of groups)
      group(program, (work, needs) => async (...given) => {
        const operator = await createOperator(
          { SECRETS_KEY: '11'.repeat(32), LEADCTL_AUTHOR: 'noor', ...variables },
          {
            ...needs,
            isJson,
            columns: COLUMNS,
            words,
            write: async (text) => written.push(text),
            writeError: (text) => (note += text),
          },
        );
        await work(operator, ...given).finally(() => operator.close());
      });
    await program.parseAsync(
      words.filter((word) => word !== '--json'),
      { from: 'user' },
    );
    const text = written.join('');
    return { text, json: isJson ? JSON.parse(text) : null, note };
  };
}
