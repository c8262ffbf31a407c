import { availableParallelism } from 'node:os';
import type { Outcome } from './outcome.ts';
import { createReplayProcess } from './replay-process.ts';
import { UnreadableHistory } from './read-history.ts';
import type { Job } from './replayer.ts';

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
  processes?: number | undefined;
  /** For one history. */
  limitMs?: number | undefined;
}

/** A process takes two seconds to start, in which another one replays about as many. */
const WORTH_A_PROCESS = 100;
const LIMIT_MS = 60_000;

/** Replays in parallel processes. At most two histories per process are held at a time. */
export async function replayAll(
  bundleFile: string,
  { histories, count }: Histories,
  { onOutcome, processes = processesFor(count), limitMs = LIMIT_MS }: ReplayOptions,
): Promise<void> {
  const sources = inTurn({ histories });
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
  await Promise.all(Array.from({ length: processes }, replayInOneProcess));
}

function processesFor(count: number): number {
  return Math.max(1, Math.min(availableParallelism(), Math.ceil(count / WORTH_A_PROCESS)));
}

async function* inTurn({
  histories,
}: Pick<Histories, 'histories'>): AsyncGenerator<HistorySource, null> {
  yield* histories;
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
