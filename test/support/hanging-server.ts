import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './listen.ts';

/** Accepts connections and never responds. */
export async function startHangingServer() {
  const taken = new Set<Socket>();
  const server = createServer((socket) => taken.add(socket));
  return {
    /** `host:port`. */
    address: `127.0.0.1:${await listenOnLoopback(server)}`,
    stop() {
      server.close();
      for (const socket of taken) socket.destroy();
    },
  };
}
