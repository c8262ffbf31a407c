import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { examples, loadCommands } from '../../cli/commands.ts';
import { onLinux } from '../dev/support.ts';
import { newFolder } from '../support/folder.ts';
import { asAdmin, createTestDatabase } from '../support/database.ts';
import { waitForLockWaits } from '../support/lock-waits.ts';
import { runProgram, type Ended } from '../support/program.ts';
import { openDatabase } from '../store/catalogue/open.ts';

const database = await createTestDatabase();

afterAll(() => database.drop());

/** A process, as an operator starts it. */
const leadctl = async (...words: string[]): Promise<Ended> => leadctlWith({}, ...words);

async function leadctlWith(variables: Record<string, string>, ...words: string[]): Promise<Ended> {
  return runProgram('./leadctl', words, { env: environment(variables) });
}

function environment(variables: Record<string, string>) {
  return {
    // eslint-disable-next-line no-restricted-properties -- the child needs PATH and HOME
    ...process.env,
    DATABASE_URL: database.url,
    SECRETS_KEY: '11'.repeat(32),
    ...variables,
  };
}

function findCommand(program: Command, [name, ...others]: readonly string[]): Command {
  if (name === undefined) return program;
  const found = program.commands.find((command) => command.name() === name);
  if (!found) throw new Error(`There is no command ${name}.`);
  return findCommand(found, others);
}

/** In a shell, which redirects the output. */
async function shell(words: string): Promise<Ended> {
  const script = `set -o pipefail; ./leadctl ${words}`;
  return runProgram('bash', ['-c', script], { env: environment({}) });
}

test('runs from any folder, by a link and by PATH, on the stack of its own folder', async () => {
  const [checkout, elsewhere] = [await realpath(newFolder()), await realpath(newFolder())];
  await copyFile('leadctl', path.join(checkout, 'leadctl'));
  for (const name of ['cli', 'node_modules'])
    await symlink(path.resolve(name), path.join(checkout, name));
  const relative = path.relative(elsewhere, path.join(checkout, 'leadctl'));
  await symlink(relative, path.join(elsewhere, 'linked'));
  const message = `no running stack was found in ${path.join(checkout, '.data')}.`;
  const atPath = (folder: string) => `PATH=${folder}:$PATH`;
  for (const [cwd, line] of [
    ['/', path.join(checkout, 'leadctl')],
    ['/', path.join(elsewhere, 'linked')],
    ['/', `${atPath(elsewhere)} linked`],
    ['/', `${atPath(checkout)} leadctl`],
    [checkout, './leadctl'],
    [checkout, 'sh leadctl'],
    [path.dirname(checkout), `${path.basename(checkout)}/leadctl`],
  ] as const) {
    const env = environment({ DATABASE_URL: '', DATA_DIR: '' });
    const { stderr } = await runProgram('sh', ['-c', `${line} client list`], { env, cwd });
    expect([line, stderr]).toEqual([line, expect.stringContaining(message)]);
  }
});

/** Those that take long to load. */
const LARGE_PACKAGES = [
  '@mikro-orm/core',
  '@temporalio/client',
  '@temporalio/envconfig',
  'i18n-iso-countries/entry-node.js',
  'libphonenumber-js',
  'smol-toml',
];

async function largePackagesOf(words: string): Promise<string[]> {
  const hook = 'data:text/javascript,' + encodeURIComponent(LOG_LOADED);
  const { stderr } = await leadctlWith({ NODE_OPTIONS: `--import=${hook}` }, ...words.split(' '));
  return LARGE_PACKAGES.filter((name) => stderr.includes(`/node_modules/${name}`));
}

const LOG_LOADED = `
  import { registerHooks } from 'node:module';
  registerHooks?.({
    load(url, context, next) {
      process.stderr.write(url + '\\n');
      return next(url, context);
    },
  });`;

describe('leadctl as a process', () => {
  test('exits with 0 and prints only JSON with --json', async () => {
    const { code, stdout } = await leadctl('rules', 'versions', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ version: 1, isActive: true, rules: 0 }]);
  });

  test('exits with 1 and a sentence for an unknown record', async () => {
    const { code, stdout, stderr } = await leadctl('rules', 'activate', '7');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Ruleset 7 not found; see leadctl rules versions.\n',
    });
  });

  test.each([
    ['client rotate shop --ye', "unknown option '--ye' (Did you mean --yes?)", 'client rotate'],
    ['team --help', "unknown command 'team'", ''],
    ['help pool', "unknown command 'pool'", ''],
    ['lead lst --help', "unknown command 'lst' (Did you mean list?)", 'lead'],
    ['client quota shop -5', "the value '-5' is invalid for argument 'requests'", 'client quota'],
    ['export holidays.csv --section holidays', 'a .csv file is written with --csv', 'export'],
    ['client rotate', "missing required argument 'clientId'", 'client rotate'],
    ['import a.csv --section brokers', "'brokers' is invalid. Allowed choices are", 'import'],
    ['lead list --limit 0', 'Expected at least 1.', 'lead list'],
  ])('says in two lines what is wrong with %s', async (words, error, command) => {
    const { code, stdout, stderr } = await leadctl(...words.split(' '));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const [first, ...others] = stderr.split('\n');
    expect(first).toContain(error);
    expect(others).toEqual([`See leadctl ${command} --help.`.replace('  ', ' '), '']);
  });

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'takes its statement along when %s ends it',
    async (signal) => {
      const { database: locked, url, close } = await openDatabase('adminUrl');
      await locked.transaction(async (sql) => {
        await sql.query('lock table leads in access exclusive mode');
        const env = environment({ DATABASE_URL: url });
        const words = ['cli/main.ts', 'lead', 'list'];
        const child = spawn(process.execPath, words, { env, stdio: 'ignore' });
        await waitForLockWaits(locked, 1);
        child.kill(signal);
        await waitForLockWaits(locked, 0);
      });
      await close();
    },
  );

  test('ends with 130 at Ctrl-C, as a program that SIGINT ends', async () => {
    const words = ['dev/launch.mjs', 'cli/main.ts', 'status', '--watch'];
    const child = spawn(process.execPath, words, { env: environment({}) });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });

  test.each([
    ['rules versions', []],
    ['lead list', []],
    ['export', ['libphonenumber-js']],
    ['status', ['@temporalio/client']],
    ['import --schema', ['libphonenumber-js']],
  ])('loads what %s needs, and none of the other large packages', async (words, needed) => {
    expect(await largePackagesOf(words)).toEqual(needed);
  });

  test.each(['--help | head -n 1', 'export | head -n 0'])(
    'reports no error when the reader closes the pipe: %s',
    async (words) => expect(await shell(words)).toMatchObject({ code: 0, stderr: '' }),
  );

  onLinux.each([
    ['export > /dev/full', 'The output'],
    ['client list > /dev/full', 'The output'],
    ['export /dev/full', '/dev/full'],
  ])('reports a full disk in a sentence: %s', async (words, what) => {
    expect(await shell(words)).toMatchObject({
      code: 1,
      stderr: `${what} cannot be written: no space left on device.\n`,
    });
  });

  onLinux('stores no secret that it could not show', async () => {
    const refusal =
      'The output cannot be written: no space left on device.\n' +
      'The secret could not be shown, so nothing was changed.\n';
    const name = 'client create --name Shop --client-id shop';
    expect(await shell(`${name} > /dev/full`)).toMatchObject({ code: 1, stderr: refusal });
    expect(await shell(name)).toMatchObject({ code: 0, stderr: '' });
    const rotate = 'client rotate shop --yes > /dev/full';
    expect(await shell(rotate)).toMatchObject({ code: 1, stderr: refusal });
    const { stdout } = await leadctl('client', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ clientId: 'shop', rotatedAt: null }]);
  });

  onLinux('asks at a terminal, and does nothing unless the answer is yes', async () => {
    await shell('client create --name Asked --client-id asked');
    const answer = (word: string) => {
      const script = `echo ${word} | script -qec './leadctl client deactivate asked' /dev/null`;
      return runProgram('bash', ['-c', script], { env: environment({}) });
    };
    expect((await answer('n')).stdout).toMatch(/Requests of Asked .* Go on\? .*Nothing was done/s);
    expect((await answer('y')).stdout).toMatch(/Asked is deactivated/);
  });

  test.each(['client rotate --help', 'help client rotate'])(
    'shows --json, --help and an example by %s',
    async (words) => {
      const { stdout } = await leadctl(...words.split(' '));
      expect(stdout).toMatch(
        /^Usage: leadctl client rotate [^]*--help[^]*--json .*[^]*Examples:\n {2}leadctl client rotate/,
      );
    },
  );

  test('names its settings and exit codes with --help', async () => {
    const { stdout } = await leadctl('--help');
    for (const part of ['DATABASE_URL', 'exit code']) expect(stdout).toContain(part);
  });

  test('has examples only of existing commands and options', async () => {
    const program = new Command('leadctl');
    for (const group of await loadCommands()) group(program, () => async () => undefined);
    for (const [command, lines] of Object.entries(examples)) {
      const found = findCommand(program, command.split(' ').filter(Boolean));
      const own = lines.filter((example) => example.startsWith(`leadctl ${command} `)).join('\n');
      const options = ['--json', ...found.options.map(({ long }) => long)];
      for (const [option] of own.matchAll(/--[a-z-]+/g)) expect(options).toContain(option);
    }
  });

  test('reports in one sentence that the database cannot be reached', async () => {
    const away = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' };
    const { stderr, code } = await leadctlWith(away, 'client', 'list');
    expect(stderr).toMatch(/^The database cannot be reached: .*\n$/);
    expect(code).toBe(1);
  });

  test.each([
    ['column', 'alter table oauth_clients rename name to former_name'],
    ['table', 'alter table oauth_clients rename to former_clients'],
  ])('says to migrate where the database lacks a %s of this release', async (what, change) => {
    const older = await createTestDatabase();
    await asAdmin(older.url, change);
    const { stderr, code } = await leadctlWith({ DATABASE_URL: older.url }, 'client', 'list');
    await older.drop();
    expect(stderr).toMatch(
      new RegExp(
        `^The database is older than this release \\(${what === 'table' ? 'relation' : what} .* does not exist\\): run npm run migrate first\\.\n$`,
      ),
    );
    expect(code).toBe(1);
  });
});
