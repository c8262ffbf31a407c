import { destination, pino, type Logger } from 'pino';

/** The buffer for a slow reader or a full disk. Further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Writes asynchronously. A failed write, as on a full disk, does not end the process. */
export function createLog(process: string, level: string): Logger {
  const output = destination({ sync: false, maxLength: MAX_WAITING_BYTES });
  let isFailing = false;
  output.on('error', () => (isFailing = true)).on('write', () => (isFailing = false));
  // Pino calls it at exit, and it retries a failed write without end.
  const flush = output.flushSync.bind(output);
  output.flushSync = () => isFailing || flush();
  return pino({ level, base: { process } }, output);
}
