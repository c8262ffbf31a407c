import { createServer, type RequestListener } from 'node:http';
import { listenOnLoopback } from '../support/listen.ts';

export interface BareServer {
  url: string;
  close(): Promise<void>;
}

/** Nothing but node:http. */
export async function startBareServer(answer: RequestListener): Promise<BareServer> {
  const server = createServer(answer);
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
