import { Context } from '@temporalio/activity';

const EVERY_MS = 3000;

/** Lets the server notice within seconds that the worker was killed. */
export async function whileBeating<T>(work: () => Promise<T>): Promise<T> {
  const activity = Context.current();
  const beat = setInterval(() => activity.heartbeat(), EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
