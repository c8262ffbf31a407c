import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Returns the port of 127.0.0.1 on which it listens from then on. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}
