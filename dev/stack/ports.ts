import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { freePort, isFree } from '../ports.ts';
import { tryLock } from '../process/lock.ts';
import { readPrivateJson, writePrivate } from './data-folder.ts';

interface PortRow {
  variable?: string;
  /** That of a first start, where it is free. */
  first?: number;
}

/** In the order in which they are chosen: those of a variable first. */
const PORTS = {
  api: { variable: 'PORT' },
  ops: { variable: 'OPS_PORT', first: 9090 },
  workerOps: { variable: 'WORKER_OPS_PORT', first: 9091 },
  postgres: {},
  temporal: { first: 7233 },
  temporalUi: { first: 8233 },
  temporalHttp: {},
  registry: {},
  receiver: {},
} satisfies Record<string, PortRow>;

export type Ports = Record<keyof typeof PORTS, number>;

interface PortRequest {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** By the variables; 0: any free port. */
  askedPorts: Partial<Record<string, number | undefined>>;
}

/**
 * A port that was asked for by its variable is taken or it is an error; the others are those of the last
 * start, or any free ones. A claim in the user's cache folder keeps stacks that start at the same time
 * apart: until a service listens, its port is free to every check.
 */
export async function choosePorts({ dataDir, env, askedPorts }: PortRequest) {
  const file = path.join(dataDir, 'ports.json');
  const last = readPrivateJson(file) as Record<string, number | undefined>;
  const { claim, release } = createClaims(path.join(cacheFolder(env), 'ports'));
  const ports: Record<string, number> = {};
  try {
    for (const [name, { variable, first }] of Object.entries<PortRow>(PORTS)) {
      const asked = askedPorts[name];
      let port = asked || (last[name] ?? first ?? (await freePort()));
      while (!(await claim(port))) {
        if (asked) throw new Error(takenMessage(asked, variable));
        port = await freePort();
      }
      ports[name] = port;
    }
    writePrivate(file, JSON.stringify(ports));
    return { ports: ports as Ports, release };
  } catch (error) {
    await release();
    throw error;
  }
}

const takenMessage = (port: number, variable = '') =>
  `Port ${port} is taken. Set ${variable} to another one, or to 0 for any that is free.`;

function createClaims(folder: string) {
  const claimed = new Map<number, () => void>();
  return {
    /** False when another process listens on the port or has claimed it. */
    async claim(port: number) {
      if (claimed.has(port) || !(await isFree(port))) return false;
      const lock = tryLock(path.join(folder, String(port)));
      if (lock.isMine) claimed.set(port, lock.release);
      return lock.isMine;
    },
    /** Once nothing of the stack runs any more. */
    async release() {
      for (const release of claimed.values()) release();
    },
  };
}
