import type { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const IDLE_MS = 500;
const LIMIT_MS = 20_000;
const POLL_MS = 50;

export interface ServerShutdown {
  isStopping(): boolean;
  /**
   * Closes the server without losing a request: for `acceptMs` it still accepts requests, each answered
   * with `Connection: close`; then it accepts none and waits for those in progress.
   */
  close(acceptMs: number): Promise<void>;
}

export function createServerShutdown(server: Server): ServerShutdown {
  const inProgress = new Set<ServerResponse>();
  let isStopping = false;
  server.prependListener('request', (_request, response) => {
    if (isStopping) response.setHeader('Connection', 'close');
    inProgress.add(response);
    response.once('close', () => inProgress.delete(response));
  });

  async function close(acceptMs: number): Promise<void> {
    isStopping = true;
    for (const response of inProgress) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    await sleep(acceptMs);
    const closed = new Promise((resolve) => server.close(resolve));
    await waitUntilIdle(() => inProgress.size > 0);
    server.closeAllConnections();
    await closed;
  }

  return { isStopping: () => isStopping, close };
}

/** Idle for IDLE_MS, since an open connection may be about to send a request. */
async function waitUntilIdle(isBusy: () => boolean): Promise<void> {
  const started = Date.now();
  let lastBusy = started;
  while (Date.now() - lastBusy < IDLE_MS && Date.now() - started < LIMIT_MS) {
    await sleep(POLL_MS);
    if (isBusy()) lastBusy = Date.now();
  }
}
