import { Context } from '@temporalio/activity';

const HEARTBEAT_EVERY_MS = 3000;

/** Lets the server notice within seconds that the worker was killed. */
export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const activity = Context.current();
  const heartbeat = setInterval(() => activity.heartbeat(), HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
  }
}
