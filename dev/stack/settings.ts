import path from 'node:path';
import { z } from 'zod';
import {
  configurationErrors,
  environment as ofService,
  issueMessages,
  port,
  withoutEmpty,
} from '../../platform/config.ts';
import { withoutTemporalServer } from '../../platform/temporal-settings.ts';
import type { Registry } from '../registry.ts';
import { cacheFolder } from '../cache-folder.ts';
import { freePort, isFree } from '../ports.ts';
import { tryLock } from '../process/pid-file.ts';
import { DEFAULT_DATA_DIR, secretsKey, type State } from './data-folder.ts';

/** What the embedded stack itself reads; everything else is handed on to the API and the worker. */
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
  const { env, notices } = ofThisStack(withoutEmpty(variables));
  const asStarted = { DATABASE_URL: 'postgres://embedded', SECRETS_KEY: '0'.repeat(64), ...env };
  const issues = new Set([
    ...issueMessages(environment.safeParse(env).error, env),
    ...configurationErrors(asStarted), // what the API and the worker would report once they start
  ]);
  if (issues.size > 0)
    throw new Error(`The environment is invalid:\n  ${[...issues].join('\n  ')}`);
  const found = environment.parse(env);
  return {
    env,
    notices,
    dataDir: path.resolve(found.DATA_DIR),
    withDemoData: found.DEMO_DATA === '1',
    askedPorts: [found.PORT, found.OPS_PORT, found.WORKER_OPS_PORT],
    registryUrl: found.DNCR_CHECK_URL === 'off' ? null : (found.DNCR_CHECK_URL ?? null),
  };
}

/** Without TEMPORAL_ADDRESS the stack starts a server, and ignores what the shell has for another one. */
function ofThisStack(given: NodeJS.ProcessEnv) {
  const env = given['TEMPORAL_ADDRESS'] ? given : withoutTemporalServer(given);
  const unused = Object.keys(given).filter((name) => !Object.hasOwn(env, name));
  const notice = `Not used without TEMPORAL_ADDRESS, since a Temporal server is started here: ${unused.join(', ')}.`;
  return { env, notices: unused.length > 0 ? [notice] : [] };
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
/** A copy of the folder lies elsewhere; leadctl alone reads the others. */
const NOT_OF_A_START = ['DATA_DIR', 'API_OPS_URL', 'WORKER_OPS_URL'];

/** What leadctl, the demo and the replay go by too. */
export const sharedSettings = (env: NodeJS.ProcessEnv) => variablesOf(env, SHARED);

/** What else a next start is to be given, so that nothing that was set is left out unseen; of secrets the name only. */
export function startVariables(env: NodeJS.ProcessEnv) {
  const read = [
    ...Object.keys({ ...ofService.shape, ...environment.shape }),
    'MIGRATE_DATABASE_URL',
  ];
  const ofTemporal = Object.keys(env).filter((name) => name.startsWith('TEMPORAL_'));
  const isLeftOut = (name: string) => SHARED.includes(name) || NOT_OF_A_START.includes(name);
  const names = [...new Set([...read, ...ofTemporal])].filter((name) => !isLeftOut(name));
  return {
    startedWith: variablesOf(
      env,
      names.filter((name) => !SECRET.test(name)),
    ),
    startedWithSecrets: names.filter((name) => env[name] && SECRET.test(name)).toSorted(),
  };
}

const variablesOf = (env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** The ports of a first start, of which 0 is any; the first three can be asked for by a variable, and are chosen first. */
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
 * A port asked for by its variable is taken or it is an error. A claim in the user's cache folder keeps
 * stacks that start at the same time apart: until a service listens, its port is free to every check.
 */
export async function choosePorts({ env, askedPorts }: Settings, state: State) {
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
  /** Call it once nothing of the stack runs any more. */
  const release = () => kept.dispose();
  return { ports: ports as Ports, release };
}
