/** What can follow one command. */
export interface CommandWords {
  /** The command's full name, such as `client create`; empty for leadctl itself. */
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

/** For `source <(leadctl completion bash)`. Tab starts no process: the words are in the script. */
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
  return commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => `'${path}'`)
    .join('|');
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
export function zshCompletion(commands: readonly CommandWords[]): string {
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
