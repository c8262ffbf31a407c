import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, type Postgres } from '../postgres.ts';
import {
  startSupervised,
  waitUntilReady,
  type SupervisedProcess,
  type Exit,
} from '../process/supervised.ts';
import { step, type Progress } from '../progress.ts';
import { startReceiver, type Receiver } from '../receiver/server.ts';
import { startRegistry, type Registry } from '../registry.ts';
import { startTemporal } from '../temporal.ts';
import { locateTemporal, reachTemporal } from '../temporal/locate.ts';
import { temporalLine } from './addresses.ts';
import { root, runScript } from './demo-data.ts';
import { assertKnownDatabase, runningFolder } from './data-folder.ts';
import type { Ports, Settings } from './settings.ts';

const logFileOf = ({ settings }: Run, name: string) =>
  path.join(settings.dataDir, 'logs', `${name}.log`);
const pidFileOf = ({ settings }: Run, name: string) =>
  path.join(runningFolder(settings.dataDir), name);

/** A migrated database: that of DATABASE_URL, or the embedded one. */
export async function startDatabase(run: Run) {
  const { env } = run.settings;
  const given = env['DATABASE_URL'];
  const owner = env['MIGRATE_DATABASE_URL'] ?? given ?? '';
  const { serviceUrl, ownerUrl, superuserUrl } = given
    ? { serviceUrl: given, ownerUrl: owner, superuserUrl: owner }
    : await startEmbeddedPostgres(run);
  const variables = { ...env, DATABASE_URL: serviceUrl, MIGRATE_DATABASE_URL: superuserUrl };
  await step(run.progress, 'Migrations', () => runScript('store/db/migrate.ts', [], variables));
  // The port of the embedded one may change between starts; its password identifies it.
  return { url: serviceUrl, ownerUrl, name: given ?? new URL(superuserUrl).password };
}

async function startEmbeddedPostgres(run: Run): Promise<Postgres> {
  const dataDir = path.join(run.settings.dataDir, 'postgres');
  assertKnownDatabase(run.settings.dataDir, dataDir);
  const options = { dataDir, port: run.ports.postgres, logFile: logFileOf(run, 'postgres') };
  const server = await startService(run, 'postgres', 'Postgres', () => startPostgres(options));
  return server.current();
}

const STUCK = 'it has answered each call with "interrupted" for 30 s';

export async function startTemporalServer(
  run: Run,
): Promise<{ address: string; uiUrl: string | null; cli: string | null }> {
  const { env, dataDir } = run.settings;
  const namespace = env['TEMPORAL_NAMESPACE'] ?? 'default';
  const source = await locateTemporal(env, run.progress);
  if (source.kind === 'address') {
    const { address } = source;
    await step(run.progress, 'Temporal at its address', () => reachTemporal(address));
    return { address, uiUrl: null, cli: null };
  }
  const options = {
    binary: source.path,
    dataDir: path.join(dataDir, 'temporal'),
    port: run.ports.temporal,
    uiPort: run.ports.temporalUi,
    httpPort: run.ports.temporalHttp,
    namespace,
    logFile: logFileOf(run, 'temporal'),
    pidFile: pidFileOf(run, 'temporal'),
  };
  const server = await startService(run, 'temporal', 'Temporal', () => startTemporal(options));
  const restart = () =>
    step(run.progress, `Starting temporal again: ${STUCK}`, async () => {
      await server.crash();
      await server.start();
    }).catch((error: unknown) => run.progress.say(String(error)));
  await closeAtEnd(run, watchOver({ isStuck: () => server.current().isStuck(), restart }));
  const { address, uiUrl } = server.current();
  return { address, uiUrl, cli: temporalLine(source.path, address, namespace) };
}

/** Null where DNCR_CHECK_URL names another registry, or none. */
export async function startDncrRegistry(run: Run): Promise<Registry | null> {
  if (run.settings.env['DNCR_CHECK_URL'] !== undefined) return null;
  const registry = await startRegistry({ port: run.ports.registry });
  await closeAtEnd(run, registry.stop);
  return registry;
}

export async function startWebhookReceiver(run: Run): Promise<Receiver> {
  const receiver = await startReceiver({ port: run.ports.receiver });
  await closeAtEnd(run, receiver.stop);
  return receiver;
}

/** As in `docker-compose.yml`. */
const ARGUMENTS = {
  api: ['api/server.ts'],
  worker: ['--max-semi-space-size=8', 'worker/worker.ts'],
};
/** A little more than the API and the worker allow themselves to shut down. */
const GRACE_MS = 28_000;

export async function startApiAndWorker(run: Run, env: NodeJS.ProcessEnv): Promise<void> {
  const { ops, workerOps } = run.ports;
  await Promise.all([
    startService(run, 'worker', 'Worker', () => startNodeProcess(run, env, 'worker', workerOps)),
    startService(run, 'api', 'API', () => startNodeProcess(run, env, 'api', ops)), // stops first
  ]);
}

/** Starts the API or the worker in a process of its own; resolves once it is ready. */
async function startNodeProcess(
  run: Run,
  env: NodeJS.ProcessEnv,
  name: keyof typeof ARGUMENTS,
  opsPort: number,
): Promise<SupervisedProcess> {
  const service = await startSupervised({
    name,
    command: process.execPath,
    args: ARGUMENTS[name],
    env,
    cwd: root,
    logFile: logFileOf(run, name),
    pidFile: pidFileOf(run, name),
    graceMs: GRACE_MS,
  });
  const checkReadiness = async () => {
    const url = `http://127.0.0.1:${opsPort}/readyz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    if (!response.ok) throw new Error(await response.text());
  };
  const isAborted = () => run.resources.disposed;
  await waitUntilReady(service, checkReadiness, { what: `The ${name}`, isAborted });
  return service;
}

/** One start of the stack: its settings, and what it has started so far. */
export interface Run {
  settings: Settings;
  ports: Ports;
  progress: Progress;
  onUnexpectedExit: OnUnexpectedExit;
  services: Map<ServiceName, Service>;
  /** Stops and closes what was started, the last first: what depends on another one starts after it. */
  resources: AsyncDisposableStack;
}

export type ServiceName = 'api' | 'worker' | 'temporal' | 'postgres';

async function startService<T extends SupervisedProcess>(
  run: Run,
  name: ServiceName,
  title: string,
  launch: () => Promise<T>,
) {
  const service = createService(name, launch, run.onUnexpectedExit);
  run.services.set(name, service);
  run.resources.defer(() => step(run.progress, `Stopping ${name}`, service.stop));
  await step(run.progress, title, service.start);
  return service;
}

async function closeAtEnd({ resources }: Run, close: () => Promise<void>): Promise<void> {
  if (resources.disposed) await close();
  else resources.defer(close);
}

export type Service = ReturnType<typeof createService>;

type OnUnexpectedExit = (name: ServiceName, exit: Exit, logFile: string) => void;

/** One program of the stack. `launch` resolves once it is ready. */
function createService<T extends SupervisedProcess>(
  name: ServiceName,
  launch: () => Promise<T>,
  onUnexpectedExit: OnUnexpectedExit,
) {
  let current: T | undefined;
  let launching: Promise<T> | undefined;
  const expectedToExit = new WeakSet<SupervisedProcess>();

  async function end(how: 'stop' | 'kill'): Promise<void> {
    await launching?.catch(() => undefined); // the caller of start() handles the error
    if (!current) return;
    expectedToExit.add(current);
    await current[how]();
  }

  return {
    pid: () => current?.pid,
    /** What `launch` resolved to last: a service may be restarted. */
    current: () => current as T,
    async start() {
      launching = launch();
      const started = await launching;
      current = started;
      void started.exited.then((exit) => {
        if (!expectedToExit.has(started)) onUnexpectedExit(name, exit, started.logFile);
      });
    },
    /** Waits for a start under way. */
    stop: () => end('stop'),
    /** Ends it with SIGKILL. */
    crash: () => end('kill'),
  };
}

interface WatchOptions {
  /** False as well when it cannot be determined. */
  isStuck(): Promise<boolean>;
  restart(): Promise<void>;
  everyMs?: number;
}

/** For half a minute: one that was frozen for a while recovers by itself. */
const CHECKS_BEFORE_RESTART = 15;

/**
 * Restarts what fifteen checks in a row find stuck, two seconds apart by default. The function returned ends the watch; it waits for a
 * restart under way.
 */
export function watchOver({ isStuck, restart, everyMs = 2000 }: WatchOptions): () => Promise<void> {
  const end = new AbortController();
  const { signal } = end;

  async function watch(): Promise<void> {
    let stuckChecks = 0;
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      stuckChecks = (await isStuck()) ? stuckChecks + 1 : 0;
      if (stuckChecks < CHECKS_BEFORE_RESTART || signal.aborted) continue;
      stuckChecks = 0;
      await restart();
    }
  }

  const watching = watch();
  return () => {
    end.abort();
    return watching;
  };
}
