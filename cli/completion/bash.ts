import type { CommandWords } from './tree.ts';

/** A script for `source <(leadctl completion bash)`; words come from it alone, so that Tab is instant. */
export function bashCompletion(commands: readonly CommandWords[]): string {
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
${commands.map(wordsOf).join('\n')}
  esac
  case "$path $previous" in
${commands.flatMap(valuesOf).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  IFS=$'\\n'
  [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _leadctl leadctl
`;
}

export function pathPatterns(commands: readonly CommandWords[]): string {
  return commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => `'${path}'`)
    .join('|');
}

function wordsOf({ path, next, takesFile }: CommandWords): string {
  const words = next.map(({ text }) => text).join(' ');
  return `    '${path}') words='${words}'${takesFile ? ' files=yes' : ''} ;;`;
}

function valuesOf({ path, values }: CommandWords): string[] {
  return values.map(
    ({ option, choices }) => `    '${path} ${option}') words='${choices.join(' ')}' files= ;;`,
  );
}
