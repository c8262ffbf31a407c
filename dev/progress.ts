import { clearInterval, setInterval } from 'node:timers';

export type Progress = ReturnType<typeof createProgress>;

interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const CLEAR_LINE = '\r\u001b[2K';
const TERMINAL_EVERY_MS = 200;
const LOG_EVERY_MS = 15_000;

/** Updates a line with the running steps in a terminal. Adds such a line to a log now and then. */
export function createProgress(out: Terminal) {
  const running = new Set<{ title: string; since: number }>();
  const everyMs = out.isTTY ? TERMINAL_EVERY_MS : LOG_EVERY_MS;
  let timer: NodeJS.Timeout | undefined;

  function show(): void {
    if (running.size === 0) return;
    const line = `… ${[...running].map(({ title, since }) => `${title} ${elapsed(since)}`).join(' · ')}`;
    out.write(out.isTTY ? CLEAR_LINE + line.slice(0, (out.columns ?? 80) - 1) : `${line}\n`);
  }

  function say(text: string): void {
    out.write(`${out.isTTY ? CLEAR_LINE : ''}${text}\n`);
    if (out.isTTY) show();
  }

  /** Steps may run concurrently. */
  async function run<T>(title: string, work: () => Promise<T>): Promise<T> {
    const current = { title, since: Date.now() };
    running.add(current);
    timer ??= setInterval(show, everyMs).unref();
    let mark = '✗';
    try {
      const result = await work();
      mark = '✓';
      return result;
    } finally {
      running.delete(current);
      if (running.size === 0) timer = void clearInterval(timer);
      say(`${mark} ${title.padEnd(34)} ${elapsed(current.since)}`);
    }
  }

  return { run, say };
}

export const silentProgress = createProgress({ write: () => undefined });

function elapsed(since: number): string {
  const seconds = (Date.now() - since) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
