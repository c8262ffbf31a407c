import { setInterval, clearInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';

export type Progress = ReturnType<typeof createProgress>;

interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const CLEAR_LINE = '\r\u001b[2K';
const TERMINAL_EVERY_MS = 200;
const LOG_EVERY_MS = 15_000;
/** A Ctrl-C ends programs of a step as well: this process handles it before it calls the step failed. */
const SIGNAL_MS = 50;

/** In a terminal, one line is updated in place with the running steps; in a log, a line is added now and then. */
export function createProgress(out: Terminal) {
  const running = new Map<symbol, { title: string; since: number }>();
  const everyMs = out.isTTY ? TERMINAL_EVERY_MS : LOG_EVERY_MS;
  let timer: NodeJS.Timeout | undefined;
  let failureMark = '✗';

  function show(): void {
    const parts = [...running.values()].map((step) => `${step.title} ${elapsed(step.since)}`);
    if (parts.length === 0) return;
    const line = `… ${parts.join(' · ')}`;
    out.write(out.isTTY ? CLEAR_LINE + line.slice(0, (out.columns ?? 80) - 1) : `${line}\n`);
  }

  function say(text: string): void {
    out.write(`${out.isTTY ? CLEAR_LINE : ''}${text}\n`);
    if (out.isTTY) show();
  }

  function end(id: symbol, mark: string, note = ''): void {
    const step = running.get(id);
    if (!step || !running.delete(id)) return;
    if (running.size === 0) clearInterval(timer);
    say(`${mark} ${step.title.padEnd(34)} ${elapsed(step.since)}${note && `  ${note}`}`);
  }

  /** Steps may run concurrently. */
  function begin(title: string) {
    const id = Symbol(title);
    if (running.size === 0) timer = setInterval(show, everyMs).unref();
    running.set(id, { title, since: Date.now() });
    return {
      done: (note?: string) => end(id, '✓', note),
      fail: (note?: string) => end(id, failureMark, note),
    };
  }

  /** What fails from now on was given up: that is no failure of its own. */
  function abandon(): void {
    failureMark = '–';
  }

  return { begin, say, abandon };
}

export const silentProgress = createProgress({ write: () => undefined });

/** Runs `work` as one step. */
export async function step<T>(
  progress: Progress,
  title: string,
  work: () => Promise<T>,
): Promise<T> {
  const { done, fail } = progress.begin(title);
  try {
    const result = await work();
    done();
    return result;
  } catch (error) {
    await sleep(SIGNAL_MS);
    fail();
    throw error;
  }
}

function elapsed(since: number): string {
  const seconds = (Date.now() - since) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
