import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

/** Above the default ports of most services. */
const FIRST = 10_240;
const ATTEMPTS = 50;

/** Below the ephemeral range, whose ports the system gives to connections of other programs meanwhile. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred && (await isFree(preferred))) return preferred;
  const end = firstEphemeral();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await tryPort(end > FIRST ? randomInt(FIRST, end) : 0);
    if (port !== null) return port;
  }
  throw new Error('No port is free.');
}

export const isFree = async (port: number) => (await tryPort(port)) !== null;

function firstEphemeral(): number {
  const file = '/proc/sys/net/ipv4/ip_local_port_range'; // of Linux: others begin at 49,152
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 32_768;
}

async function tryPort(port: number): Promise<number | null> {
  const server = createServer().unref().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const { port: taken } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return taken;
}
