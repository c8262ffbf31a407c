import { destination, pino, type Logger } from 'pino';

/** What waits for a slow reader, or for room on a full disk; further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Writes JSON lines outside of the request's path. A line that cannot be written (a full disk) ends no process. */
export function createLog(process: string, level: string): Logger {
  const output = destination({ sync: false, maxLength: MAX_WAITING_BYTES });
  let isFailing = false;
  output.on('error', () => (isFailing = true)).on('write', () => (isFailing = false));
  // Called at exit, and retries a failing write without end.
  const flush = output.flushSync.bind(output);
  output.flushSync = () => isFailing || flush();
  return pino({ level, base: { process } }, output);
}
