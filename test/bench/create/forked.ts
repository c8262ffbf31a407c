import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Forked {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Runs a server of this folder in a process of its own, which sends the URL that it listens on. */
export async function forkServer(
  entry: 'floor.ts' | 'service.ts',
  variables: Record<string, string>,
): Promise<Forked> {
  const child = fork(fileURLToPath(new URL(entry, import.meta.url)), {
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
