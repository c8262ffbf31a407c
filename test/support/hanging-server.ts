import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './listen.ts';

export interface HangingServer {
  /** `host:port`. */
  address: string;
  stop(): void;
}

/** Accepts connections and never responds. */
export async function startHangingServer(): Promise<HangingServer> {
  const taken = new Set<Socket>();
  const server = createServer((socket) => taken.add(socket));
  return {
    address: `127.0.0.1:${await listenOnLoopback(server)}`,
    stop() {
      server.close();
      for (const socket of taken) socket.destroy();
    },
  };
}
