import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const QUIET_MS = 500;
const LIMIT_MS = 20_000;
const EVERY_MS = 50;

export interface ServerShutdown {
  isStopping(): boolean;
  /**
   * Ends the server without losing a request: for a while it still takes some, telling each caller to
   * take the next one elsewhere; then it takes no more and waits for those under way.
   */
  close(stillTakingMs: number): Promise<void>;
}

export function createServerShutdown(server: Server): ServerShutdown {
  const underWay = new Set<ServerResponse>();
  let isStopping = false;
  server.prependListener('request', (_request, response) => {
    if (isStopping) response.setHeader('Connection', 'close');
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });

  async function close(stillTakingMs: number): Promise<void> {
    isStopping = true;
    for (const response of underWay) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    await sleep(stillTakingMs);
    const closed = new Promise((resolve) => server.close(resolve));
    await untilQuiet(() => underWay.size > 0);
    server.closeAllConnections();
    await closed;
  }

  return { isStopping: () => isStopping, close };
}

/** A connection without a request may be about to bring one, so quiet is quiet for a while. */
async function untilQuiet(isBusy: () => boolean): Promise<void> {
  const started = Date.now();
  let lastBusy = started;
  while (Date.now() - lastBusy < QUIET_MS && Date.now() - started < LIMIT_MS) {
    await sleep(EVERY_MS);
    if (isBusy()) lastBusy = Date.now();
  }
}
