import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../../dev/wait-until.ts';
import { tryLock } from '../../dev/process/pid-file.ts';
import { processMark } from '../../platform/process-mark.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';
import { hasEnded, onLinux } from './support.ts';

const module = fileURLToPath(new URL('../../dev/process/pid-file.ts', import.meta.url));

/** What another process, long ended by then, makes of the lock. */
async function elsewhere(file: string): Promise<string> {
  const script = `import { tryLock } from '${module}'; console.log(JSON.stringify(tryLock('${file}')))`;
  return (await runProgram(process.execPath, ['--input-type=module', '-e', script])).stdout;
}

const newLock = () => path.join(newFolder(), 'lock');

test('a lock that is held says by whom, and is free once it is released', async () => {
  const file = newLock();
  const lock = tryLock(file);
  expect(JSON.parse(await elsewhere(file))).toEqual({ isMine: false, heldBy: process.pid });
  if (lock.isMine) lock.release();
  expect(JSON.parse(await elsewhere(file))).toMatchObject({ isMine: true });
});

test('the lock of a process that has ended is no lock', async () => {
  const file = newLock();
  await elsewhere(file);
  expect(readFileSync(file, 'utf8')).not.toContain(`${process.pid} `);
  expect(tryLock(file)).toMatchObject({ isMine: true });
});

test('nor is that of a process whose number meanwhile went to another one', () => {
  const file = newLock();
  const parent = process.ppid;
  writeFileSync(file, `${parent} of-another-boot:1`);
  expect(tryLock(file)).toMatchObject({ isMine: true });
  writeFileSync(file, processMark(parent));
  expect(tryLock(file)).toEqual({ isMine: false, heldBy: parent });
});

onLinux('nor is that of one that has ended where nobody collects ended processes', async () => {
  const file = newLock();
  const { parent, childPid } = await startNegligent();
  writeFileSync(file, processMark(childPid));
  expect(tryLock(file)).toEqual({ isMine: false, heldBy: childPid });
  process.kill(childPid, 'SIGKILL');
  await hasEnded(childPid);
  expect(process.kill(childPid, 0)).toBe(true);
  expect(tryLock(file)).toMatchObject({ isMine: true });
  parent.kill('SIGKILL');
});

/** A parent that never asks how its child has ended, as the first process of some containers. */
async function startNegligent(): Promise<{ parent: ChildProcess; childPid: number }> {
  const script = 'sleep 600 & echo $!; exec sleep 600';
  const parent = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  // The shell itself would collect its child; `sleep` does not.
  const command = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim();
  await waitUntil(async () => expect(command()).toBe('sleep'), { what: 'The parent' });
  return { parent, childPid: Number(text.toString()) };
}
