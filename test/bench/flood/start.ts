import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAX_BODY = 256 * 1024;
const headOf = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** What each connection of a flood says, and how many blanks after that. */
const SAID = {
  'send all but a byte of the longest body': {
    bytes: headOf('/v2/public/leads', MAX_BODY),
    blanks: MAX_BODY - 1,
  },
  'read no response': { bytes: 'GET /v2/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(16) },
} satisfies Record<string, { bytes: string; blanks?: number }>;

/** A flood from `addresses` from 127.0.0.2 on, each of which may have so many connections to a process. */
export interface Flood {
  url: string;
  what: keyof typeof SAID;
  connections: number;
  addresses: number;
  /** A second after it was closed. */
  opensAgain: boolean;
}

export type FloodProgram = Omit<Flood, 'what'> & { bytes: string; blanks?: number };

/** In a process of its own, which also has a limit of open files of its own. Resolves with what stops it. */
export async function startFlood({ what, ...flood }: Flood): Promise<() => Promise<void>> {
  const entry = fileURLToPath(new URL('connections.ts', import.meta.url));
  const program: FloodProgram = { ...flood, ...SAID[what] };
  const child = fork(entry, [JSON.stringify(program)]);
  await once(child, 'message');
  return async () => {
    child.kill();
    await once(child, 'exit');
  };
}
