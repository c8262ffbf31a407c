import path from 'node:path';
import { z } from 'zod';
import {
  configurationErrors,
  environment as ofService,
  issueMessages,
  port,
  withoutEmpty,
} from '../../platform/config.ts';
import { shellWord } from '../../platform/shell-word.ts';
import { withoutTemporalServer } from '../../platform/temporal-settings.ts';
import type { Registry } from '../registry.ts';
import { cacheFolder } from '../cache-folder.ts';
import { freePort, isFree } from '../ports.ts';
import { tryLock } from '../process/pid-file.ts';
import { DEFAULT_DATA_DIR, secretsKey, type State } from './data-folder.ts';

/** What the stack itself reads. The API and the worker get all variables. */
export const environment = z.object({
  DATA_DIR: z.string().default(DEFAULT_DATA_DIR),
  DEMO_DATA: z.enum(['0', '1']).default('1'),
  PORT: port.default(8080),
  OPS_PORT: port.optional(),
  WORKER_OPS_PORT: port.optional(),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().optional(),
  DNCR_CHECK_URL: z.string().optional(),
});

export type Settings = ReturnType<typeof settingsFrom>;

export function settingsFrom(variables: NodeJS.ProcessEnv) {
  const given = withoutEmpty(variables);
  const env = given['TEMPORAL_ADDRESS'] ? given : withoutTemporalServer(given);
  const unused = Object.keys(given).filter((name) => !Object.hasOwn(env, name));
  const asStarted = { DATABASE_URL: 'postgres://embedded', SECRETS_KEY: '0'.repeat(64), ...env };
  const { data: found, error } = environment.safeParse(env);
  // The API and the worker would report the issues of their configuration only after the start.
  const issues = new Set([...issueMessages(error, env), ...configurationErrors(asStarted)]);
  if (!found || issues.size > 0)
    throw new Error(`The environment is invalid:\n  ${[...issues].join('\n  ')}`);
  const notice = `Not used without TEMPORAL_ADDRESS, since a Temporal server is started here: ${unused.join(', ')}.`;
  return {
    env,
    notices: unused.length > 0 ? [notice] : [],
    dataDir: path.resolve(found.DATA_DIR),
    withDemoData: found.DEMO_DATA === '1',
    askedPorts: [found.PORT, found.OPS_PORT, found.WORKER_OPS_PORT],
    registryUrl: found.DNCR_CHECK_URL === 'off' ? null : (found.DNCR_CHECK_URL ?? null),
  };
}

interface Found {
  databaseUrl: string;
  temporalAddress: string;
  registry: Registry | null;
  ports: Ports;
}

export function serviceEnvironment(
  { env, dataDir }: Settings,
  { databaseUrl, temporalAddress, registry, ports }: Found,
): NodeJS.ProcessEnv {
  return {
    HOST: '127.0.0.1',
    WEBHOOK_ALLOW_PRIVATE: '1', // the stack's own receiver listens on loopback
    ...env,
    MIGRATE_DATABASE_URL: undefined, // only for `migrate`
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

const SHARED = [
  'ENVIRONMENT',
  'COMPANY_NAME',
  'COMPANY_TIME_ZONE',
  'DAILY_QUOTA',
  'FOLLOW_UP_MINUTES',
  'TEMPORAL_NAMESPACE',
];
const SECRET =
  /^((MIGRATE_)?DATABASE_URL|SECRETS_KEY|DNCR_CLIENT_.+|TEMPORAL_API_KEY|TEMPORAL_TLS_.+_DATA)$/;
/** The variables that leadctl, the demo and the replay use too. */
export const sharedSettings = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(SHARED.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

// A copy of the folder has another DATA_DIR; only leadctl reads the other two.
const NOT_OF_A_START = ['DATA_DIR', 'API_OPS_URL', 'WORKER_OPS_URL'];

/** Starts a stack with the same variables, but for DATA_DIR. Fails in a shell that lacks a secret. */
export function startCommand(env: NodeJS.ProcessEnv): string {
  const read = Object.keys({ ...ofService.shape, ...environment.shape, MIGRATE_DATABASE_URL: '' });
  const ofTemporal = Object.keys(env).filter((name) => name.startsWith('TEMPORAL_'));
  const all = [...new Set([...read, ...ofTemporal])];
  const names = all.filter((name) => env[name] && !NOT_OF_A_START.includes(name));
  const words = names.map((name) =>
    SECRET.test(name) ? `${name}="\${${name}:?}"` : `${name}=${shellWord(env[name] ?? '')}`,
  );
  return [...words, 'npm start'].join(' ');
}

/** The ports of a first start; 0 is any port. The first three have a variable each, and are chosen first. */
const PORTS = {
  api: 0,
  ops: 9090,
  workerOps: 9091,
  postgres: 0,
  temporal: 7233,
  temporalUi: 8233,
  temporalHttp: 0,
  registry: 0,
  receiver: 0,
};
const VARIABLES = ['PORT', 'OPS_PORT', 'WORKER_OPS_PORT'];

export type Ports = Record<keyof typeof PORTS, number>;

/**
 * Until a service listens, its port is free to every check. So stacks that start at the same time claim their ports in
 * the user's cache folder. Call `release` when the stack has ended.
 */
export async function choosePorts({ env, askedPorts }: Settings, state: State) {
  const claimsFolder = path.join(cacheFolder(env), 'ports');
  const ports: Record<string, number> = {};
  using claims = new DisposableStack();

  async function claim(port: number): Promise<boolean> {
    if (Object.values(ports).includes(port) || !(await isFree(port))) return false;
    const lock = tryLock(path.join(claimsFolder, String(port)));
    if (lock.isMine) claims.defer(lock.release);
    return lock.isMine;
  }

  for (const [index, [name, first]] of Object.entries(PORTS).entries()) {
    const asked = askedPorts[index];
    let port = asked || (state.stored.ports?.[name] ?? first);
    while (!port || !(await claim(port))) {
      const advice = `Set ${VARIABLES[index]} to another one, or to 0 for any that is free.`;
      if (asked) throw new Error(`Port ${asked} is taken. ${advice}`);
      port = await freePort();
    }
    ports[name] = port;
  }
  state.keep({ ports });
  const kept = claims.move();
  return { ports: ports as Ports, release: () => kept.dispose() };
}
