import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startSupervised, type SupervisedProcess } from '../../dev/process/supervised.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { newFolder } from '../support/folder.ts';
import { hasEnded, isRunning, startParent } from './support.ts';

const shell = (script: string, graceMs = 60_000) => ({
  name: 'child',
  command: '/bin/sh',
  args: ['-c', script],
  env: { PATH: '/usr/bin:/bin', GREETING: 'hello' },
  logFile: path.join(newFolder(), 'child.log'),
  graceMs,
});

/** Resolves once its trap is set. */
async function startListening(trap: string, graceMs?: number): Promise<SupervisedProcess> {
  const options = shell(`${trap}; echo set; while :; do sleep 0.05; done`, graceMs);
  const child = await startSupervised(options);
  const check = async () => {
    if (readFileSync(options.logFile, 'utf8') === '') throw new Error('it is not set');
  };
  await waitUntil(check, { what: 'The trap' });
  return child;
}

describe('a supervised program', () => {
  test('ends when its parent is killed with -9', async () => {
    const { parent, childPid } = await startParent('sleeper');
    expect(isRunning(childPid)).toBe(true);
    parent.kill('SIGKILL');
    await hasEnded(childPid);
  });

  test('ends by force when its parent is killed and it ignores the stop signal', async () => {
    const { parent, childPid } = await startParent('stubborn');
    parent.kill('SIGKILL');
    await hasEnded(childPid);
  });

  test('gets the environment that it was given, and writes to its log', async () => {
    const options = shell('echo $GREETING');
    const child = await startSupervised(options);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(readFileSync(options.logFile, 'utf8')).toBe('hello\n');
  });

  test('is asked to stop before it is made to', async () => {
    const asked = await startListening("trap 'exit 7' TERM");
    expect(await asked.stop()).toEqual({ code: 7, signal: null });
    const ignoring = await startListening("trap '' TERM", 200);
    expect(await ignoring.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('reports that it cannot be started', async () => {
    const options = { ...shell(''), command: '/no/such/program' };
    await expect(startSupervised(options)).rejects.toThrow('child cannot be started');
  });
});
