import process from 'node:process';
import type { Logger } from 'pino';
import { toLogError } from './errors.ts';

const LIMIT_MS = 25_000;

/** On SIGTERM or SIGINT runs the steps in order, and exits after a limit. */
export function stopGracefully(log: Logger, steps: readonly (() => Promise<unknown>)[]): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => forceExit(log), LIMIT_MS).unref();
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        log.error({ error: toLogError(error) }, 'a shutdown step failed');
      }
    }
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  process.on('uncaughtException', (error) => {
    log.fatal({ error: toLogError(error) }, 'uncaught error');
    process.exit(1);
  });
}

function forceExit(log: Logger): void {
  log.error({ seconds: LIMIT_MS / 1000 }, 'stopping took too long; ending the process');
  process.exit(1);
}
