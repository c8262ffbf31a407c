import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** The checkout that this file belongs to. */
export const CHECKOUT = path.resolve(import.meta.dirname, '../../..');

export interface Forked {
  /** What it sent: the URL that it listens on. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Runs a program of this folder, or of the same folder of another checkout, in a process of its own. */
export async function forkServer(
  entry: 'floor.ts' | 'service.ts' | 'prepare.ts',
  variables: Record<string, string>,
  checkout = CHECKOUT,
): Promise<Forked> {
  const child = fork(path.join(checkout, 'test/bench/create', entry), {
    env: { PATH: '/usr/bin:/bin', ...variables },
  });
  const ended = once(child, 'exit');
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  if (typeof message !== 'string') throw new Error(`${entry} ended while starting.`);
  return {
    url: message,
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
