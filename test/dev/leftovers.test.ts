import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { endLeftovers } from '../../dev/process/pid-file.ts';
import { newFolder } from '../support/folder.ts';
import { supervisorOf, hasEnded, isRunning, onLinux, startParent } from './support.ts';

onLinux(
  'a program whose parent and supervisor were both killed is ended at the next start',
  async () => {
    const folder = newFolder();
    const { parent, childPid } = await startParent('sleeper', folder);
    process.kill(supervisorOf(parent), 'SIGKILL');
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(isRunning(childPid)).toBe(true);

    const running = path.join(folder, 'running');
    await endLeftovers(running);
    await hasEnded(childPid);
    expect(readdirSync(running)).toEqual([]);
  },
);

test('another program that has its number by then is left alone', async () => {
  const folder = newFolder();
  const { parent, childPid } = await startParent('sleeper');
  writeFileSync(path.join(folder, 'child'), `${childPid} of-another-boot:1`);
  await endLeftovers(folder);
  expect(isRunning(childPid)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
  parent.kill('SIGKILL');
  await hasEnded(childPid);
});
