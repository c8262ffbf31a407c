import { cpSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { openState } from '../../dev/stack/data-folder.ts';
import { choosePorts, type Ports, settingsFrom } from '../../dev/stack/settings.ts';
import { newFolder } from '../support/folder.ts';
import { listenOnLoopback } from '../support/listen.ts';
import { runProgram } from '../support/program.ts';

const moduleOf = (name: string) =>
  fileURLToPath(new URL(`../../dev/stack/${name}.ts`, import.meta.url));

/** What the stack of another process would have. */
async function elsewhere(env: Record<string, string>): Promise<Ports> {
  const script = `
    import { choosePorts, settingsFrom } from '${moduleOf('settings')}';
    import { openState } from '${moduleOf('data-folder')}';
    const settings = settingsFrom(${JSON.stringify(env)});
    console.log(JSON.stringify((await choosePorts(settings, openState(settings.dataDir))).ports));`;
  const run = await runProgram(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(run.stdout) as Ports;
}

test('stacks that start at the same time share no port, though none of them listens yet', async () => {
  const cache = newFolder();
  const envOf = (dataDir: string) => ({ DATA_DIR: dataDir, PORT: '0', XDG_CACHE_HOME: cache });
  const [first, second] = [newFolder(), newFolder()];
  const { ports, release } = await choosePorts(settingsFrom(envOf(first)), openState(first));
  cpSync(path.join(first, 'kept.json'), path.join(second, 'kept.json'));
  const others = Object.values(await elsewhere(envOf(second)));
  expect(Object.values(ports).filter((port) => others.includes(port))).toEqual([]);
  await release();
  expect(await elsewhere(envOf(first))).toEqual(ports);
});

test.each(['PORT', 'OPS_PORT', 'WORKER_OPS_PORT'])('a taken %s is named', async (variable) => {
  const dataDir = newFolder();
  const server = createServer();
  const port = await listenOnLoopback(server);
  const settings = settingsFrom({ DATA_DIR: dataDir, PORT: '0', [variable]: String(port) });
  await expect(choosePorts(settings, openState(dataDir))).rejects.toThrow(
    `Port ${port} is taken. Set ${variable} to another one`,
  );
  server.close();
});
