import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os, { availableParallelism } from 'node:os';
import path from 'node:path';
import { fork } from 'node:child_process';
import { type BundleOptions, bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { Outcome } from './failure.ts';
import { UnreadableHistory, readHistory } from './history.ts';
import type { Job } from './replayer.ts';

const moduleFile = (name: string) => path.join(import.meta.dirname, name);

type Bundled = Partial<Pick<BundleOptions, 'workflowsPath' | 'webpackConfigHook'>>;

/** Replays histories on the workflows of the service, or on those of another bundle. */
export async function replayHistories(
  histories: Histories,
  options: ReplayOptions,
  bundled: Bundled = {},
): Promise<void> {
  // As the worker bundles them, with the recorder of commands.
  const { code } = await bundleWorkflowCode({
    workflowsPath: moduleFile('../../workflows/index.ts'),
    ...bundled,
    workflowInterceptorModules: [moduleFile('recorder.ts')],
    preloadModules: [moduleFile('stack-depth.ts')],
    logger: new DefaultLogger('ERROR'),
  });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'replay-'));
  try {
    const bundleFile = path.join(folder, 'workflows.js');
    await writeFile(bundleFile, code);
    await replayAll(bundleFile, histories, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A history that is read when its turn comes. */
export interface HistorySource {
  name: string;
  /** In JSON; null where it is gone. An UnreadableHistory says why it cannot be read. */
  read(): Promise<string | null>;
}

export interface Histories {
  histories: AsyncIterable<HistorySource> | Iterable<HistorySource>;
  /** How many there are; new runs may come up after they were counted. */
  count: number;
}

export interface ReplayOptions {
  onOutcome: (outcome: Outcome) => void;
  /** For one history. */
  limitMs?: number | undefined;
}

/** A process takes two seconds to start, in which another one replays about as many. */
const WORTH_A_PROCESS = 100;
const LIMIT_MS = 60_000;

/** Replays in parallel processes. At most two histories per process are held at a time. */
async function replayAll(
  bundleFile: string,
  { histories, count }: Histories,
  { onOutcome, limitMs = LIMIT_MS }: ReplayOptions,
): Promise<void> {
  const sources = inTurn(histories);
  async function nextJob(): Promise<Job | Outcome | null> {
    const { value: source } = await sources.next();
    if (!source) return null;
    return (await readJob(source)) ?? nextJob();
  }
  async function replayInOneProcess(): Promise<void> {
    const replayer = createReplayProcess(bundleFile, limitMs);
    try {
      let next = nextJob();
      for (let job = await next; job; job = await next) {
        next = nextJob();
        next.catch(() => undefined); // thrown when its turn comes
        onOutcome('json' in job ? await replayer.replay(job) : job);
      }
    } finally {
      await replayer.end();
    }
  }
  await Promise.all(Array.from({ length: processesFor(count) }, replayInOneProcess));
}

function processesFor(count: number): number {
  return Math.max(1, Math.min(availableParallelism(), Math.ceil(count / WORTH_A_PROCESS)));
}

async function* inTurn(sources: Histories['histories']): AsyncGenerator<HistorySource, null> {
  yield* sources;
  return null;
}

async function readJob({ name, read }: HistorySource): Promise<Job | Outcome | null> {
  try {
    const json = await read();
    return json === null ? null : { name, json };
  } catch (error) {
    if (!(error instanceof UnreadableHistory)) throw error;
    return { name, type: null, runId: null, failure: { text: error.message, at: [] } };
  }
}

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
  const child = fork(moduleFile('replayer.ts'), [bundleFile], {
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
