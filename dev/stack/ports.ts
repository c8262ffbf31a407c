import path from 'node:path';
import { freePort, isFree } from '../ports.ts';
import { readPrivate, writePrivate } from './private-file.ts';
import type { Settings } from './settings.ts';

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

/** Where a first start would like to be; a later one, where the last was. */
const LIKED: Partial<Ports> = { ops: 9090, workerOps: 9091, temporal: 7233, temporalUi: 8233 };
const PICKED = ['postgres', 'temporal', 'temporalUi', 'registry', 'receiver'] as const;

/** A port that was asked for is had or it is an error; the others go where there is room. */
export async function choosePorts(asked: Settings): Promise<Ports> {
  const file = path.join(asked.dataDir, 'ports.json');
  const last = JSON.parse(readPrivate(file) ?? '{}') as Partial<Ports>;
  const ports = await chosen(asked, last);
  writePrivate(file, JSON.stringify(ports));
  return ports;
}

async function chosen(asked: Settings, last: Partial<Ports>): Promise<Ports> {
  const taken = new Set<number>();
  const pick = async (name: keyof Ports): Promise<number> => {
    let port = await freePort(last[name] ?? LIKED[name]);
    while (taken.has(port)) port = await freePort();
    taken.add(port);
    return port;
  };
  const insist = async (variable: string, port: number, name: keyof Ports): Promise<number> => {
    if (port === 0) return pick(name);
    if (taken.has(port) || !(await isFree(port))) throw new PortTaken(variable, port);
    taken.add(port);
    return port;
  };
  const orPick = (variable: string, port: number | undefined, name: keyof Ports) =>
    port === undefined ? pick(name) : insist(variable, port, name);

  const ports: Partial<Ports> = { api: await insist('PORT', asked.port, 'api') };
  ports.ops = await orPick('OPS_PORT', asked.opsPort, 'ops');
  ports.workerOps = await orPick('WORKER_OPS_PORT', asked.workerOpsPort, 'workerOps');
  for (const name of PICKED) ports[name] = await pick(name);
  return ports as Ports;
}

class PortTaken extends Error {
  override name = 'PortTaken';

  constructor(variable: string, port: number) {
    super(`Port ${port} is taken. Set ${variable} to another one, or to 0 for any that is free.`);
  }
}
