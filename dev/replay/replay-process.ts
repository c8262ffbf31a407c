import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './outcome.ts';
import { readHistory } from './read-history.ts';
import type { Job } from './replayer.ts';

const script = fileURLToPath(new URL('./child.ts', import.meta.url));

/** A process that replays one history at a time, and is replaced when one ends it or takes longer than the limit. */
export function createReplayProcess(bundleFile: string, limitMs: number) {
  let running = start(bundleFile);
  return {
    async replay(job: Job): Promise<Outcome> {
      if (running.hasEnded()) running = start(bundleFile);
      const { child, ready, ended, nextMessage } = running;
      await Promise.race([ready, ended]);
      let failure = '';
      const timer = setTimeout(() => {
        failure = `the replay did not end within ${limitMs / 1000} s: does the code loop without an await?`;
        child.kill('SIGKILL');
      }, limitMs);
      const replayed = nextMessage<Outcome>();
      child.send(job);
      const outcome = await Promise.race([replayed, ended]);
      clearTimeout(timer);
      return typeof outcome === 'string' ? failedBy(job, failure || outcome) : outcome;
    },
    async end(): Promise<void> {
      running.child.kill('SIGKILL'); // it holds nothing that could be lost
      await running.ended;
    },
  };
}

const KEPT_CHARACTERS = 2000;

function start(bundleFile: string) {
  const child = fork(script, [bundleFile], {
    execArgv: ['--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.on('error', () => undefined); // of a message that was not taken: `close` says why
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_CHARACTERS);
  });
  const nextMessage = <T>() => new Promise<T>((resolve) => child.once('message', resolve));
  return {
    child,
    nextMessage,
    ready: nextMessage(),
    /** Says how. */
    ended: new Promise<string>((resolve) => {
      child.once('close', (code, signal) => resolve(describeEnd(code ?? signal, stderr)));
    }),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  };
}

function describeEnd(how: number | string | null, stderr: string): string {
  const line = stderr.split('\n').findLast((each) => /Error|panicked/.test(each));
  return `the process of the replay ended (${how}): ${(line ?? stderr).trim()}`;
}

function failedBy({ name, json }: Job, text: string): Outcome {
  return { name, type: null, runId: null, ...identify(json), failure: { text, at: [] } };
}

function identify(json: string): Partial<Outcome> {
  try {
    const { type, runId } = readHistory(json);
    return { type, runId };
  } catch {
    return {};
  }
}
