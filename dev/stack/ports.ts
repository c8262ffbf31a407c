import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { freePort, isFree } from '../ports.ts';
import { tryLock } from '../process/lock.ts';
import { readPrivateJson, writePrivate } from './data-folder.ts';

/** In the order in which they are chosen: those of a variable first. */
const NAMES = [
  'api',
  'ops',
  'workerOps',
  'postgres',
  'temporal',
  'temporalUi',
  'registry',
  'receiver',
] as const;
type PortName = (typeof NAMES)[number];
export type Ports = Record<PortName, number>;

/** Of a first start, where they are free. */
const DEFAULTS: Partial<Ports> = { ops: 9090, workerOps: 9091, temporal: 7233, temporalUi: 8233 };
const VARIABLES: Partial<Record<PortName, string>> = {
  api: 'PORT',
  ops: 'OPS_PORT',
  workerOps: 'WORKER_OPS_PORT',
};

interface PortRequest {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** By the variables; 0: any free port. */
  askedPorts: Partial<Record<PortName, number | undefined>>;
}

/**
 * A port that was asked for by its variable is taken or it is an error; the others are those of the last
 * start, or any free ones. A claim in the user's cache folder keeps stacks that start at the same time
 * apart: until a service listens, its port is free to every check.
 */
export async function choosePorts(asked: PortRequest) {
  const file = path.join(asked.dataDir, 'ports.json');
  const last = readPrivateJson(file) as Partial<Ports>;
  const claims = createClaims(path.join(cacheFolder(asked.env), 'ports'));
  try {
    const ports: Partial<Ports> = {};
    for (const name of NAMES) {
      ports[name] = await choosePort(name, asked.askedPorts[name], last[name], claims);
    }
    writePrivate(file, JSON.stringify(ports));
    return { ports: ports as Ports, release: claims.release };
  } catch (error) {
    await claims.release();
    throw error;
  }
}

type Claims = ReturnType<typeof createClaims>;

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

async function choosePort(
  name: PortName,
  asked: number | undefined,
  last: number | undefined,
  { claim }: Claims,
): Promise<number> {
  if (asked) {
    if (await claim(asked)) return asked;
    throw new Error(
      `Port ${asked} is taken. Set ${VARIABLES[name]} to another one, or to 0 for any that is free.`,
    );
  }
  let port = last ?? DEFAULTS[name] ?? (await freePort());
  while (!(await claim(port))) port = await freePort();
  return port;
}
