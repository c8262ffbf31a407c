import process from 'node:process';
import { Argument, type Command, type Option } from 'commander';
import type { CommandGroup } from './operator.ts';

const SHELLS = {
  bash: { script: bashScript, line: bashLine },
  zsh: { script: zshScript, line: zshLine },
};

/** Opens no connection: it runs when a shell starts. */
export const completionCommand: CommandGroup = (program) => {
  program
    .command('completion')
    .description('Print a script that completes leadctl’s words in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => {
      const { script, line } = SHELLS[shell];
      const commands = [...commandsFrom(program)];
      const paths = commands.flatMap(([path]) => (path === '' ? [] : [`'${path}'`]));
      const words = commands.map(([path, command]) => line(wordsAfter(program, path, command)));
      const values = commands.flatMap(([path, { options }]) =>
        valuesAfter(path, options).map(line),
      );
      const text = script(paths.join('|'), words.join('\n'), values.join('\n'));
      const { json } = program.opts<{ json?: boolean }>();
      process.stdout.write(json ? `${JSON.stringify({ shell, script: text }, null, 2)}\n` : text);
    });
};

/** The path is the command's full name, such as `client create`; empty for leadctl itself. */
function* commandsFrom(command: Command, path = ''): Generator<[path: string, command: Command]> {
  yield [path, command];
  for (const child of command.commands)
    yield* commandsFrom(child, `${path} ${child.name()}`.trim());
}

interface Word {
  text: string;
  description?: string;
}

/** What can follow a command, or an option that takes a value. */
interface Place {
  after: string;
  words: Word[];
  files: '' | ' files=' | ' files=yes';
}

const HELP: Word = { text: '--help', description: 'what the command does' };

function wordsAfter(program: Command, path: string, command: Command): Place {
  const { commands, registeredArguments } = command;
  const subcommands = commands.map((child) => ({
    text: child.name(),
    description: child.description(),
  }));
  const choices = registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => ({ text, description })),
  );
  const options = [...new Set([command, program])].flatMap(wordsOfOptions);
  const takesFile = registeredArguments.some((argument) => argument.name() === 'file');
  const words = [...subcommands, ...choices, ...options, HELP];
  return { after: path, words, files: takesFile ? ' files=yes' : '' };
}

const wordsOfOptions = ({ options }: Command): Word[] =>
  options.map(({ long, flags, description }) => ({ text: long ?? flags, description }));

/** The values that the options take, where they are few. */
function valuesAfter(path: string, options: readonly Option[]): Place[] {
  const taking = options.filter(({ required, optional }) => required || optional);
  return taking.map(({ long, flags, argChoices = [] }) => ({
    after: `${path} ${long ?? flags}`,
    words: argChoices.map((text) => ({ text })),
    files: ' files=',
  }));
}

/** For `source <(leadctl completion bash)`. Tab starts no process: the words are in the script. */
function bashScript(paths: string, words: string, values: string): string {
  return `# Completion of leadctl for bash.
_leadctl() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local path= words= files= word IFS=$' \\t\\n'
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${words}
  esac
  case "$path $previous" in
${values}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  IFS=$'\\n'
  [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _leadctl leadctl
`;
}

function bashLine({ after, words, files }: Place): string {
  return `    '${after}') words='${words.map(({ text }) => text).join(' ')}'${files} ;;`;
}

/** For `source <(leadctl completion zsh)`; zsh shows the descriptions as well. */
function zshScript(paths: string, words: string, values: string): string {
  return `#compdef leadctl
# Completion of leadctl for zsh.
_leadctl() {
  local place= files= word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place }$word" in
      (${paths}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${words}
  esac
  case "$place \${words[CURRENT-1]}" in
${values}
  esac
  (( \${#candidates} )) && _describe leadctl candidates
  [[ -z "$files" ]] || _files
}
compdef _leadctl leadctl
`;
}

function zshLine({ after, words, files }: Place): string {
  return `    ('${after}') candidates=(${words.map(zshWord).join(' ')})${files} ;;`;
}

function zshWord({ text, description }: Word): string {
  if (description === undefined) return `'${text}'`;
  return `'${text}:${description.replaceAll("'", '’').replaceAll(':', '\\:')}'`;
}
