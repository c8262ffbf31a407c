import process from 'node:process';
import { Argument } from 'commander';
import { bashCompletion } from './completion/bash.ts';
import { commandWords } from './completion/tree.ts';
import { zshCompletion } from './completion/zsh.ts';
import type { CommandGroup } from './operator.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion };

/** Needs no database: it is run when a shell starts. */
export const completionCommand: CommandGroup = (program) => {
  program
    .command('completion')
    .description('Print a script that completes leadctl’s words in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      const script = scripts[shell](commandWords(program));
      const { json } = program.opts<{ json?: boolean }>();
      process.stdout.write(json ? `${JSON.stringify({ shell, script }, null, 2)}\n` : script);
    });
};
