import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { awaitPort, freePort } from '../../dev/ports.ts';
import { choosePorts, type Ports, settingsFrom } from '../../dev/stack/settings.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';

const settingsModule = fileURLToPath(new URL('../../dev/stack/settings.ts', import.meta.url));

/** What the stack of another process would have. */
async function elsewhere(env: Record<string, string>): Promise<Ports> {
  const script = `
    import { choosePorts, settingsFrom } from '${settingsModule}';
    console.log(JSON.stringify((await choosePorts(settingsFrom(${JSON.stringify(env)}))).ports));`;
  const run = await runProgram(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(run.stdout) as Ports;
}

test('a program that is started again waits for its port, and takes no other one', async () => {
  const former = createServer().listen(await freePort(), '127.0.0.1');
  await once(former, 'listening');
  const { port } = former.address() as AddressInfo;
  const awaited = awaitPort(port);
  const isDone = await Promise.race([awaited.then(() => true), nextCheck()]);
  expect(isDone).toBe(false);
  former.close();
  expect(await awaited).toBe(port);
});

/** Several checks of the port later. */
const nextCheck = () => sleep(200, false);

test('stacks that start at the same time share no port, though none of them listens yet', async () => {
  const cache = newFolder();
  const envOf = (dataDir: string) => ({ DATA_DIR: dataDir, PORT: '0', XDG_CACHE_HOME: cache });
  const [first, second] = [newFolder(), newFolder()];
  const { ports, release } = await choosePorts(settingsFrom(envOf(first)));
  cpSync(path.join(first, 'ports.json'), path.join(second, 'ports.json'));
  const others = Object.values(await elsewhere(envOf(second)));
  expect(Object.values(ports).filter((port) => others.includes(port))).toEqual([]);
  await release();
  expect(await elsewhere(envOf(first))).toEqual(ports);
});
