import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';

// eslint-disable-next-line no-restricted-properties -- the shells and Node are found by it
const { PATH = '' } = process.env;

const folder = newFolder();

/** The command itself, in an environment without a database or a stack. */
async function leadctl(...words: string[]): Promise<string> {
  const command = ['dev/launch.mjs', 'cli/main.ts', ...words];
  return (await runProgram(process.execPath, command, { env: { PATH } })).stdout;
}

const scripts: Record<string, string> = {};
for (const shell of ['bash', 'zsh']) {
  scripts[shell] = path.join(folder, shell);
  writeFileSync(scripts[shell], await leadctl('completion', shell));
}
writeFileSync(path.join(folder, 'crm.json'), '{}');
writeFileSync(path.join(folder, 'crm two.json'), '{}');

interface Expected {
  typed: string[];
  offered: string[];
}

/** What Tab offers after these words; the last one is incomplete. */
const cases: Expected[] = [
  { typed: ['cl'], offered: ['client'] },
  { typed: ['client', 'r'], offered: ['rotate'] },
  { typed: ['client', 'de'], offered: ['deactivate'] },
  { typed: ['client', 'create', '--s'], offered: ['--scope'] },
  { typed: ['client', 'rotate', 'some-id', '--k'], offered: ['--keep-tokens'] },
  { typed: ['client', 'create', '--name', ''], offered: [] },
  { typed: ['lead', 'list', '--status', 'p'], offered: ['pending', 'pool'] },
  { typed: ['webhook', 'deliveries', '--status', 'd'], offered: ['delivered'] },
  { typed: ['export', 'v'], offered: ['values'] },
  { typed: ['export', 'values', '--format', 'j'], offered: ['json'] },
  { typed: ['agent', 'release', '--only', 'w'], offered: ['waiting'] },
  { typed: ['import', '--section', 'camp'], offered: ['campaigns'] },
  { typed: ['--json', 'tok'], offered: ['token'] },
  {
    typed: ['token', 'revoke', '--'],
    offered: ['--dry-run', '--help', '--json', '--no-timeout', '--yes'],
  },
  { typed: ['completion', ''], offered: ['--help', '--json', '--no-timeout', 'bash', 'zsh'] },
  { typed: ['nonsense', 'x'], offered: [] },
];

/** Options that skip the user's start files. */
const BARE: Record<string, string[]> = { bash: ['--norc', '--noprofile'], zsh: ['-f'] };

async function inShell(shell: string, program: string, words: readonly string[]) {
  const script = scripts[shell] ?? '';
  const args = [...(BARE[shell] ?? []), '-c', program, shell, script, ...words];
  const { stdout, stderr } = await runProgram(shell, args, { cwd: folder, env: { PATH } });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean).toSorted();
}

describe('completion in bash', () => {
  const TAB = `
    source "$1"; shift
    COMP_WORDS=(leadctl "$@") COMP_CWORD=$#
    eval "$(complete -p leadctl | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
    printf '%s\\n' "\${COMPREPLY[@]}"`;

  test.each(cases)('$typed', async ({ typed, offered }) => {
    expect(await inShell('bash', TAB, typed)).toEqual(offered);
  });

  test('offers files for a file argument, also with spaces in their names', async () => {
    expect(await inShell('bash', TAB, ['import', 'crm'])).toEqual(['crm two.json', 'crm.json']);
    expect(await inShell('bash', TAB, ['import', '--section', 'crm'])).toEqual([]);
  });
});

const hasZsh = (await runProgram('zsh', ['-c', 'true'], { env: { PATH } })).code === 0;

(hasZsh ? describe : describe.skip)('completion in zsh', () => {
  // The completion system works in an interactive shell only; these functions replace its two entry points.
  const TAB = `
    compdef() { completer=$1 }
    _describe() { print -l -- "\${(@)\${(@P)2}%%:*}" }
    _files() { print -l -- *(N) }
    script=$1; shift
    source $script
    words=(leadctl "$@") CURRENT=$(( $# + 1 ))
    $completer`;

  test.each(cases)('$typed', async ({ typed, offered }) => {
    const beginning = typed.at(-1) ?? '';
    const shown = await inShell('zsh', TAB, typed);
    expect(shown.filter((word) => word.startsWith(beginning))).toEqual(offered);
  });

  test('offers files for a file argument', async () => {
    expect(await inShell('zsh', TAB, ['import', 'crm'])).toContain('crm two.json');
    expect(await inShell('zsh', TAB, ['import', '--section', 'crm'])).toEqual([]);
  });
});

test('contains every option that the help shows', async () => {
  const script = await leadctl('completion', 'bash');
  const help = await leadctl('client', 'create', '--help');
  const options = [...help.matchAll(/^ {2}.*(--[a-z-]+)/gm)].map(([, option]) => option);
  const [line] = /'client create'\) words='[^']*'/.exec(script) ?? [''];
  expect(options.filter((option) => option !== undefined && !line.includes(option))).toEqual([]);
  expect(options.length).toBeGreaterThan(4);
});

test('is JSON for programs', async () => {
  const answer = JSON.parse(await leadctl('completion', 'zsh', '--json'));
  expect(answer).toMatchObject({ shell: 'zsh', script: expect.stringContaining('compdef') });
});
