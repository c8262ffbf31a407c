import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { freePort, isFree } from '../ports.ts';
import { tryLock } from '../process/lock.ts';
import { readPrivateJson, writePrivate } from './data-folder.ts';

export interface Ports {
  api: number;
  ops: number;
  workerOps: number;
  postgres: number;
  temporal: number;
  temporalUi: number;
  registry: number;
  receiver: number;
}

/** Of a first start, where they are free. */
const DEFAULTS: Partial<Ports> = { ops: 9090, workerOps: 9091, temporal: 7233, temporalUi: 8233 };
const UNCONFIGURED = ['postgres', 'temporal', 'temporalUi', 'registry', 'receiver'] as const;

export interface ChosenPorts {
  ports: Ports;
  /** Once nothing of the stack runs any more. */
  release(): Promise<void>;
}

export interface PortRequest {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** 0: any free port. */
  port: number;
  opsPort?: number | undefined;
  workerOpsPort?: number | undefined;
}

/**
 * A port that was asked for by its variable is taken or it is an error; the others are those of the last
 * start, or any free ones. A claim in the user's cache folder keeps stacks that start at the same time
 * apart: until a service listens, its port is free to every check.
 */
export async function choosePorts(asked: PortRequest): Promise<ChosenPorts> {
  const file = path.join(asked.dataDir, 'ports.json');
  const last = readPrivateJson(file) as Partial<Ports>;
  const claims = createClaims(path.join(cacheFolder(asked.env), 'ports'));
  try {
    const ports = await chosen(asked, last, claims);
    writePrivate(file, JSON.stringify(ports));
    return { ports, release: claims.release };
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
    async release() {
      for (const release of claimed.values()) release();
    },
  };
}

async function chosen(asked: PortRequest, last: Partial<Ports>, { claim }: Claims): Promise<Ports> {
  const pick = async (name: keyof Ports): Promise<number> => {
    let port = last[name] ?? DEFAULTS[name] ?? (await freePort());
    while (!(await claim(port))) port = await freePort();
    return port;
  };
  const insist = async (variable: string, port: number, name: keyof Ports): Promise<number> => {
    if (port === 0) return pick(name);
    if (!(await claim(port))) throw new Error(portTaken(variable, port));
    return port;
  };
  const orPick = (variable: string, port: number | undefined, name: keyof Ports) =>
    port === undefined ? pick(name) : insist(variable, port, name);

  const ports: Partial<Ports> = { api: await insist('PORT', asked.port, 'api') };
  ports.ops = await orPick('OPS_PORT', asked.opsPort, 'ops');
  ports.workerOps = await orPick('WORKER_OPS_PORT', asked.workerOpsPort, 'workerOps');
  for (const name of UNCONFIGURED) ports[name] = await pick(name);
  return ports as Ports;
}

const portTaken = (variable: string, port: number) =>
  `Port ${port} is taken. Set ${variable} to another one, or to 0 for any that is free.`;
