import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface SilentServer {
  /** `host:port`. */
  address: string;
  stop(): void;
}

/** Takes every connection and never says a word. */
export async function startSilentServer(): Promise<SilentServer> {
  const taken = new Set<Socket>();
  const server = createServer((socket) => taken.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      for (const socket of taken) socket.destroy();
    },
  };
}
