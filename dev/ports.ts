import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Above what is mostly given a fixed place. */
const FIRST = 10_240;
const TRIES = 50;

/**
 * The port asked for when it is free, else any free one that the system hands out to nobody by
 * itself: one of the others may go to a connection of another program before it is listened on.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred && (await isFree(preferred))) return preferred;
  const end = firstEphemeral();
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = await tryPort(end > FIRST ? randomInt(FIRST, end) : 0);
    if (port !== null) return port;
  }
  throw new Error('No port is free.');
}

export async function isFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== null;
}

/** Where the ports begin that the system gives to outgoing connections and to listeners on "any". */
function firstEphemeral(): number {
  try {
    const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/);
    return Number(first);
  } catch {
    return 32_768; // no Linux: the others begin at 49,152
  }
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.unref();
    server.on('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1' }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address ? address.port : null;
      server.close(() => resolve(taken));
    });
  });
}
