import process from 'node:process';
import { Argument, type Command, type Option } from 'commander';
import type { CommandGroup } from './operator.ts';

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

interface Word {
  text: string;
  description: string;
}

const HELP: Word = { text: '--help', description: 'what the command does' };

interface CommandWords {
  /** The command's full name, such as `client create`; empty for leadctl itself. */
  path: string;
  next: Word[];
  /** Each option that takes a value, and the values that it takes, where they are few. */
  values: { option: string; choices: readonly string[] }[];
  takesFile: boolean;
}

function collectWords(command: Command, path: string, shared: readonly Word[]): CommandWords[] {
  const { commands, registeredArguments, options } = command;
  const subcommands = commands.map((child) => ({
    text: child.name(),
    description: child.description(),
  }));
  const choices = registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => ({ text, description })),
  );
  const own = path === '' ? [] : wordsOfOptions(options);
  const words: CommandWords = {
    path,
    next: [...subcommands, ...choices, ...own, ...shared, HELP],
    values: options
      .filter(({ required, optional }) => required || optional)
      .map(({ long, flags, argChoices }) => ({ option: long ?? flags, choices: argChoices ?? [] })),
    takesFile: registeredArguments.some((argument) => argument.name() === 'file'),
  };
  const below = commands.flatMap((child) =>
    collectWords(child, `${path} ${child.name()}`.trim(), shared),
  );
  return [words, ...below];
}

const wordsOfOptions = (options: readonly Option[]): Word[] =>
  options.map(({ long, flags, description }) => ({ text: long ?? flags, description }));

/** For `source <(leadctl completion bash)`. Tab starts no process: the words are in the script. */
function bashCompletion(commands: readonly CommandWords[]): string {
  return `# Completion of leadctl for bash.
_leadctl() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local path= words= files= word IFS=$' \\t\\n'
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${pathPatterns(commands)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${commands.map(bashWords).join('\n')}
  esac
  case "$path $previous" in
${commands.flatMap(bashValues).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  IFS=$'\\n'
  [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _leadctl leadctl
`;
}

function pathPatterns(commands: readonly CommandWords[]): string {
  const paths = commands.map(({ path }) => path).filter(Boolean);
  return paths.map((path) => `'${path}'`).join('|');
}

function bashWords({ path, next, takesFile }: CommandWords): string {
  const words = next.map(({ text }) => text).join(' ');
  return `    '${path}') words='${words}'${takesFile ? ' files=yes' : ''} ;;`;
}

function bashValues({ path, values }: CommandWords): string[] {
  return values.map(
    ({ option, choices }) => `    '${path} ${option}') words='${choices.join(' ')}' files= ;;`,
  );
}

/** For `source <(leadctl completion zsh)`; zsh shows the descriptions as well. */
function zshCompletion(commands: readonly CommandWords[]): string {
  return `#compdef leadctl
# Completion of leadctl for zsh.
_leadctl() {
  local place= files= word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place }$word" in
      (${pathPatterns(commands)}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${commands.map(zshWords).join('\n')}
  esac
  case "$place \${words[CURRENT-1]}" in
${commands.flatMap(zshValues).join('\n')}
  esac
  (( \${#candidates} )) && _describe leadctl candidates
  [[ -z "$files" ]] || _files
}
compdef _leadctl leadctl
`;
}

function zshWords({ path, next, takesFile }: CommandWords): string {
  const files = takesFile ? ' files=yes' : '';
  return `    ('${path}') candidates=(${next.map(describedWord).join(' ')})${files} ;;`;
}

function zshValues({ path, values }: CommandWords): string[] {
  return values.map(({ option, choices }) => {
    const words = choices.map((text) => `'${text}'`).join(' ');
    return `    ('${path} ${option}') candidates=(${words}) files= ;;`;
  });
}

function describedWord({ text, description }: Word): string {
  const meaning = description.replaceAll("'", '’').replaceAll(':', '\\:');
  return `'${text}:${meaning}'`;
}
