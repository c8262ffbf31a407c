import path from 'node:path';
import { z } from 'zod';
import { configurationErrors, issueMessages, port, withoutEmpty } from '../../platform/config.ts';
import { withoutTemporalServer } from '../../platform/temporal-settings.ts';
import type { Registry } from '../registry.ts';
import { DEFAULT_DATA_DIR, secretsKey, readPrivateJson, writePrivate } from './data-folder.ts';
import { cacheFolder } from '../cache-folder.ts';
import { freePort, isFree } from '../ports.ts';
import { tryLock } from '../process/pid-file.ts';

/** What the embedded stack itself reads; everything else is handed on to the API and the worker. */
export const environment = z.object({
  DATA_DIR: z.string().default(DEFAULT_DATA_DIR),
  DEMO_DATA: z.enum(['0', '1']).default('1'),
  PORT: port.default(8080),
  OPS_PORT: port.optional(),
  WORKER_OPS_PORT: port.optional(),
  DATABASE_URL: z.string().optional(),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().optional(),
  DNCR_CHECK_URL: z.string().optional(),
  SECRETS_KEY: z.string().optional(),
});

export type Settings = ReturnType<typeof settingsFrom>;

/** Throws an error that names every invalid variable. */
export function settingsFrom(env: NodeJS.ProcessEnv) {
  const { given, notices } = ofThisStack(withoutEmpty(env));
  const asStarted = { DATABASE_URL: 'postgres://embedded', SECRETS_KEY: '0'.repeat(64), ...given };
  const issues = new Set([
    ...issueMessages(environment.safeParse(given).error, given),
    ...configurationErrors(asStarted), // what the API and the worker would report once they start
  ]);
  if (issues.size > 0)
    throw new Error(`The environment is invalid:\n  ${[...issues].join('\n  ')}`);
  const found = environment.parse(given);
  return {
    env: given,
    notices,
    dataDir: path.resolve(found.DATA_DIR),
    withDemoData: found.DEMO_DATA === '1',
    askedPorts: { api: found.PORT, ops: found.OPS_PORT, workerOps: found.WORKER_OPS_PORT },
    /** The address of a registry that the stack does not start. */
    registryUrl: found.DNCR_CHECK_URL === 'off' ? null : (found.DNCR_CHECK_URL ?? null),
  };
}

/**
 * The stack starts a Temporal server if TEMPORAL_ADDRESS is not set. It knows nothing of the profile, the API key and
 * the certificates that a developer's shell may have for another one.
 */
function ofThisStack(env: NodeJS.ProcessEnv) {
  if (env['TEMPORAL_ADDRESS']) return { given: env, notices: [] };
  const given = withoutTemporalServer(env);
  const unused = Object.keys(env).filter((name) => !Object.hasOwn(given, name));
  if (unused.length === 0) return { given, notices: [] };
  const notice = `Not used without TEMPORAL_ADDRESS, since a Temporal server is started here: ${unused.join(', ')}.`;
  return { given, notices: [notice] };
}

interface Found {
  databaseUrl: string;
  temporalAddress: string;
  registry: Registry | null;
  ports: Ports;
}

/** The environment of the API, the worker and leadctl: what was given, and what the stack started. */
export function serviceEnvironment(
  { env, dataDir }: Settings,
  { databaseUrl, temporalAddress, registry, ports }: Found,
): NodeJS.ProcessEnv {
  return {
    HOST: '127.0.0.1',
    // The stack's own receiver is on loopback.
    WEBHOOK_ALLOW_PRIVATE: '1',
    ...env,
    MIGRATE_DATABASE_URL: undefined, // for migrate alone
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    PORT: String(ports.api),
    OPS_PORT: String(ports.ops),
    WORKER_OPS_PORT: String(ports.workerOps),
    SECRETS_KEY: env['SECRETS_KEY'] ?? secretsKey(dataDir),
    ...(registry && {
      DNCR_TOKEN_URL: registry.tokenUrl,
      DNCR_CHECK_URL: registry.checkUrl,
      DNCR_CLIENT_ID: registry.clientId,
      DNCR_CLIENT_SECRET: registry.clientSecret,
    }),
  };
}

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

/**
 * A port that was asked for by its variable is taken or it is an error; the others are those of the last
 * start, or any free ones. A claim in the user's cache folder keeps stacks that start at the same time
 * apart: until a service listens, its port is free to every check.
 */
export async function choosePorts({ dataDir, env, askedPorts }: Settings) {
  const file = path.join(dataDir, 'ports.json');
  const last = readPrivateJson(file) as Record<string, number | undefined>;
  const claimsFolder = path.join(cacheFolder(env), 'ports');
  const ports: Record<string, number> = {};
  using claims = new DisposableStack();

  /** False when another process listens on the port or has claimed it. */
  async function claim(port: number): Promise<boolean> {
    if (Object.values(ports).includes(port) || !(await isFree(port))) return false;
    const lock = tryLock(path.join(claimsFolder, String(port)));
    if (lock.isMine) claims.defer(lock.release);
    return lock.isMine;
  }

  for (const [name, { variable, first }] of Object.entries<PortRow>(PORTS)) {
    const asked = (askedPorts as Record<string, number | undefined>)[name];
    let port = asked || (last[name] ?? first ?? (await freePort()));
    while (!(await claim(port))) {
      if (asked) throw new Error(takenMessage(asked, variable));
      port = await freePort();
    }
    ports[name] = port;
  }
  writePrivate(file, JSON.stringify(ports));
  const kept = claims.move();
  /** Call it once nothing of the stack runs any more. */
  const release = () => kept.dispose();
  return { ports: ports as Ports, release };
}

const takenMessage = (port: number, variable = '') =>
  `Port ${port} is taken. Set ${variable} to another one, or to 0 for any that is free.`;
