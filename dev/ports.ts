import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { waitUntil } from './wait-until.ts';

/** Above the ports that most services have by default. */
const FIRST = 10_240;
const ATTEMPTS = 50;

/**
 * The preferred port when it is free, else a free one below the system's ephemeral range: a port inside
 * of it can be given to another program's connection before this one listens on it.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred && (await isFree(preferred))) return preferred;
  const end = firstEphemeral();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await tryPort(end > FIRST ? randomInt(FIRST, end) : 0);
    if (port !== null) return port;
  }
  throw new Error('No port is free.');
}

const RELEASE_MS = 5000;

/**
 * The port asked for, once it is free, else any free one. Children of a program that was killed hold its port for a
 * moment; whoever starts it again on another one would leave its clients behind.
 */
export async function awaitPort(asked?: number): Promise<number> {
  if (!asked) return freePort();
  const check = async () => {
    if (!(await isFree(asked))) throw new Error('another program listens on it');
  };
  await waitUntil(check, { what: `Port ${asked}`, timeoutMs: RELEASE_MS, everyMs: 50 });
  return asked;
}

export async function isFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== null;
}

/** The start of the range that the system assigns ports from. */
function firstEphemeral(): number {
  try {
    const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/);
    return Number(first);
  } catch {
    return 32_768; // not Linux: others begin at 49,152
  }
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
