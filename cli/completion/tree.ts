import type { Argument, Command, Option } from 'commander';

/** What can follow one command, read from commander's own tree. */
export interface CommandWords {
  /** The words that lead here, such as `client create`; empty for leadctl itself. */
  path: string;
  next: Word[];
  /** Each option that takes a value, and the values that it takes, where they are few. */
  values: { option: string; choices: readonly string[] }[];
  takesFile: boolean;
}

export interface Word {
  text: string;
  description: string;
}

const HELP: Word = { text: '--help', description: 'what the command does' };

export function commandWords(program: Command): CommandWords[] {
  return walk(program, '', optionWords(program.options));
}

function walk(command: Command, path: string, shared: readonly Word[]): CommandWords[] {
  const own = path === '' ? [] : optionWords(command.options);
  const here: CommandWords = {
    path,
    next: [...subcommands(command), ...choices(command), ...own, ...shared, HELP],
    values: command.options.flatMap(valuesOf),
    takesFile: command.registeredArguments.some((argument) => argument.name() === 'file'),
  };
  const below = command.commands.flatMap((child) =>
    walk(child, `${path} ${child.name()}`.trim(), shared),
  );
  return [here, ...below];
}

function subcommands(command: Command): Word[] {
  return command.commands.map((child) => ({
    text: child.name(),
    description: child.description(),
  }));
}

function choices(command: Command): Word[] {
  const ofArgument = ({ argChoices = [], description }: Argument) =>
    argChoices.map((text) => ({ text, description }));
  return command.registeredArguments.flatMap(ofArgument);
}

function optionWords(options: readonly Option[]): Word[] {
  return options.map(({ long, flags, description }) => ({ text: long ?? flags, description }));
}

function valuesOf(option: Option): CommandWords['values'] {
  if (!option.required && !option.optional) return [];
  return [{ option: option.long ?? option.flags, choices: option.argChoices ?? [] }];
}
