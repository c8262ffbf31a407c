import { pathPatterns } from './bash.ts';
import type { CommandWords, Word } from './tree.ts';

/** A script for `source <(leadctl completion zsh)`, which shows what each word means as well. */
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
${commands.map(wordsOf).join('\n')}
  esac
  case "$place \${words[CURRENT-1]}" in
${commands.flatMap(valuesOf).join('\n')}
  esac
  (( \${#candidates} )) && _describe leadctl candidates
  [[ -z "$files" ]] || _files
}
compdef _leadctl leadctl
`;
}

function wordsOf({ path, next, takesFile }: CommandWords): string {
  const files = takesFile ? ' files=yes' : '';
  return `    ('${path}') candidates=(${next.map(described).join(' ')})${files} ;;`;
}

function valuesOf({ path, values }: CommandWords): string[] {
  return values.map(({ option, choices }) => {
    const words = choices.map((text) => `'${text}'`).join(' ');
    return `    ('${path} ${option}') candidates=(${words}) files= ;;`;
  });
}

function described({ text, description }: Word): string {
  const meaning = description.replaceAll("'", '’').replaceAll(':', '\\:');
  return `'${text}:${meaning}'`;
}
