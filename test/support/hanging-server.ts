import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface HangingServer {
  /** `host:port`. */
  address: string;
  stop(): void;
}

/** Accepts connections and never responds. */
export async function startHangingServer(): Promise<HangingServer> {
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
