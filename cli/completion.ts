import process from 'node:process';
import { Argument } from 'commander';
import type { Command, Option } from 'commander';
import type { CommandGroup } from './operator.ts';
import { bashCompletion, zshCompletion } from './views/completion.ts';
import type { CommandWords, Word } from './views/completion.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion };

/** Opens no connection: it runs when a shell starts. */
export const completionCommand: CommandGroup = (program) => {
  program
    .command('completion')
    .description('Print a script that completes leadctl’s words in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      const shared = wordsOfOptions(program.options);
      const script = scripts[shell](collectWords(program, '', shared));
      const { json } = program.opts<{ json?: boolean }>();
      process.stdout.write(json ? `${JSON.stringify({ shell, script }, null, 2)}\n` : script);
    });
};

const HELP: Word = { text: '--help', description: 'what the command does' };

/** The words of a command and of all below it. */
function collectWords(command: Command, path: string, shared: readonly Word[]): CommandWords[] {
  const own = path === '' ? [] : wordsOfOptions(command.options);
  const words: CommandWords = {
    path,
    next: [...wordsOfSubcommands(command), ...wordsOfArguments(command), ...own, ...shared, HELP],
    values: command.options.flatMap(valuesOfOption),
    takesFile: command.registeredArguments.some((argument) => argument.name() === 'file'),
  };
  const below = command.commands.flatMap((child) =>
    collectWords(child, `${path} ${child.name()}`.trim(), shared),
  );
  return [words, ...below];
}

function wordsOfSubcommands({ commands }: Command): Word[] {
  return commands.map((child) => ({ text: child.name(), description: child.description() }));
}

function wordsOfArguments({ registeredArguments }: Command): Word[] {
  return registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => ({ text, description })),
  );
}

function wordsOfOptions(options: readonly Option[]): Word[] {
  return options.map(({ long, flags, description }) => ({ text: long ?? flags, description }));
}

function valuesOfOption(option: Option): CommandWords['values'] {
  if (!option.required && !option.optional) return [];
  return [{ option: option.long ?? option.flags, choices: option.argChoices ?? [] }];
}
