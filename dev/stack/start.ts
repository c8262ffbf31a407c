import path from 'node:path';
import process from 'node:process';
import { startPostgres } from '../postgres.ts';
import { lastLines } from '../process/log-file.ts';
import { startSupervised } from '../process/supervised.ts';
import type { SupervisedProcess } from '../process/supervised.ts';
import { step } from '../progress.ts';
import { startReceiver } from '../receiver/server.ts';
import type { Receiver } from '../receiver/server.ts';
import { startRegistry } from '../registry/server.ts';
import type { Registry } from '../registry/server.ts';
import { root, runScript } from './demo-data.ts';
import { runningFolder } from './folder.ts';
import { closeAtEnd, restartService, startService, watchOver } from './services.ts';
import type { Run } from './services.ts';
import type { Environment } from './settings.ts';
import { startTemporal } from '../temporal.ts';
import { locateTemporal } from '../temporal/locate.ts';
import { reachTemporal } from '../temporal/locate.ts';
import { waitUntil } from '../wait-until.ts';

const logIn = (run: Run, name: string) => path.join(run.settings.dataDir, 'logs', `${name}.log`);

/** A migrated database: the one that was given, or one of our own. */
export async function startDatabase(run: Run): Promise<{ url: string; name: string }> {
  const given = run.settings.databaseUrl;
  const url = given ?? (await ownPostgres(run));
  await step(run.progress, 'Migrations', () =>
    runScript('store/db/migrate.ts', [], { ...run.settings.env, DATABASE_URL: url }),
  );
  // Our own may be on another port the next time; its password tells it from others.
  const name = given ?? new URL(url).password;
  return { url, name };
}

async function ownPostgres(run: Run): Promise<string> {
  const dataDir = path.join(run.settings.dataDir, 'postgres');
  let url = '';
  await startService(run, 'postgres', 'Postgres', async () => {
    const options = { dataDir, port: run.ports.postgres, logFile: logIn(run, 'postgres') };
    const server = await startPostgres(options);
    url = server.databaseUrl;
    return server.process;
  });
  return url;
}

export async function startTemporalServer(
  run: Run,
): Promise<{ address: string; uiUrl: string | null }> {
  const { env, dataDir, temporalNamespace: namespace } = run.settings;
  const source = await locateTemporal(env, run.progress);
  if (source.kind === 'address') {
    const { address } = source;
    await step(run.progress, 'Temporal at its address', () => reachTemporal(address));
    return { address, uiUrl: null };
  }
  const found = { address: '', uiUrl: '', isStuck: async () => false };
  await startService(run, 'temporal', 'Temporal', async () => {
    const server = await startTemporal({
      binary: source.path,
      dataDir: path.join(dataDir, 'temporal'),
      port: run.ports.temporal,
      uiPort: run.ports.temporalUi,
      namespace,
      logFile: logIn(run, 'temporal'),
      pidFile: path.join(runningFolder(dataDir), 'temporal'),
    });
    const { address, uiUrl, isStuck } = server;
    Object.assign(found, { address, uiUrl, isStuck });
    return server.process;
  });
  if (!run.isStopping) watch(run, found);
  return found;
}

function watch(run: Run, found: { isStuck: () => Promise<boolean> }): void {
  run.watches.push(
    watchOver({
      isStuck: () => found.isStuck(),
      restart: () => restartService(run, 'temporal'),
    }),
  );
}

/** Null where another registry, or none, was asked for. */
export async function startDncrRegistry(run: Run): Promise<Registry | null> {
  if (run.settings.dncrCheckUrl !== undefined) return null;
  const registry = await startRegistry({ port: run.ports.registry });
  await closeAtEnd(run, registry.stop);
  return registry;
}

export async function startWebhookReceiver(run: Run): Promise<Receiver> {
  const receiver = await startReceiver({ port: run.ports.receiver });
  await closeAtEnd(run, receiver.stop);
  return receiver;
}

export async function startApiAndWorker(run: Run, env: Environment): Promise<void> {
  const { dataDir } = run.settings;
  const common = { dataDir, env, isAborted: () => run.isStopping };
  await Promise.all([
    startService(run, 'api', 'API', () =>
      startNodeProcess({ ...common, name: 'api', script: 'api/server.ts', opsPort: run.ports.ops }),
    ),
    startService(run, 'worker', 'Worker', () =>
      startNodeProcess({
        ...common,
        name: 'worker',
        script: 'worker/worker.ts',
        opsPort: run.ports.workerOps,
      }),
    ),
  ]);
}

export interface ServiceOptions {
  name: 'api' | 'worker';
  script: string;
  opsPort: number;
  dataDir: string;
  env: Environment;
  /** Nobody waits for it any more. */
  isAborted(): boolean;
}

/** A little more than a service gives itself to finish what it has begun. */
const GRACE_MS = 28_000;

/** Starts the API or the worker in a process of its own; gives it once it says that it is ready. */
export async function startNodeProcess(options: ServiceOptions): Promise<SupervisedProcess> {
  const { name, script, env, dataDir } = options;
  const logFile = path.join(dataDir, 'logs', `${name}.log`);
  const service = await startSupervised({
    name,
    command: process.execPath,
    args: [script],
    env,
    cwd: root,
    logFile,
    pidFile: path.join(runningFolder(dataDir), name),
    graceMs: GRACE_MS,
  });
  try {
    await ready(service, options);
    return service;
  } catch (error) {
    await service.kill();
    throw error;
  }
}

async function ready(service: SupervisedProcess, options: ServiceOptions): Promise<void> {
  const { name, opsPort } = options;
  let hasEnded = false;
  void service.exited.then(() => (hasEnded = true));
  const ask = async () => {
    const url = `http://127.0.0.1:${opsPort}/readyz`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(5000) });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const abandon = () => {
    if (hasEnded) return `The ${name} ended while starting:\n${lastLines(service.logFile, 20)}`;
    return options.isAborted() ? `The start of the ${name} was given up.` : undefined;
  };
  const what = `The ${name} (log: ${service.logFile})`;
  await waitUntil(ask, { what, everyMs: 50, abandon });
}
