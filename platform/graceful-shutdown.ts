import process from 'node:process';
import type { Logger } from 'pino';
import { toLogError } from './log-error.ts';

const LIMIT_MS = 25_000;

/** On SIGTERM or SIGINT runs the steps in order and ends the process, by force after a limit. */
export function stopGracefully(log: Logger, steps: readonly (() => Promise<unknown>)[]): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => cutOff(log), LIMIT_MS).unref();
    void runSteps(steps, log).then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('uncaughtException', (error) => {
    log.fatal({ error: toLogError(error) }, 'an error that nobody caught');
    process.exit(1);
  });
}

function cutOff(log: Logger): void {
  log.error({ seconds: LIMIT_MS / 1000 }, 'what was under way did not end in time and is cut off');
  process.exit(1);
}

async function runSteps(steps: readonly (() => Promise<unknown>)[], log: Logger): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.error({ error: toLogError(error) }, 'a step of stopping failed');
    }
  }
}
