import path from 'node:path';
import process from 'node:process';
import { startPostgres } from '../postgres.ts';
import {
  startSupervised,
  waitUntilReady,
  type SupervisedProcess,
  type Exit,
} from '../process/supervised.ts';
import type { Progress } from '../progress.ts';
import { startTemporal } from '../temporal.ts';
import { locateTemporal } from '../temporal/locate.ts';
import { temporalLine } from './addresses.ts';
import { root, runScript } from './demo-data.ts';
import { runningFolder } from './data-folder.ts';
import type { Ports, Settings } from './settings.ts';

export interface Run {
  settings: Settings;
  ports: Ports;
  progress: Progress;
  onUnexpectedExit(name: ServiceName, exit: Exit, logFile: string): void;
  services: Map<ServiceName, Service>;
  /** Stops what was started in reverse order, so a service starts after the services that it needs. */
  resources: AsyncDisposableStack;
}

interface Service {
  running(): Promise<SupervisedProcess>;
  start(): Promise<SupervisedProcess>;
}

export type ServiceName = 'api' | 'worker' | 'temporal' | 'postgres';

const filesOf = ({ settings: { dataDir } }: Run, name: ServiceName) => ({
  logFile: path.join(dataDir, 'logs', `${name}.log`),
  pidFile: path.join(runningFolder(dataDir), name),
});

export async function startDatabase(run: Run) {
  const { env } = run.settings;
  const given = env['DATABASE_URL'];
  const owner = env['MIGRATE_DATABASE_URL'] ?? given ?? '';
  const { serviceUrl, ownerUrl, superuserUrl } = given
    ? { serviceUrl: given, ownerUrl: owner, superuserUrl: owner }
    : await startEmbeddedPostgres(run);
  const variables = { ...env, DATABASE_URL: serviceUrl, MIGRATE_DATABASE_URL: superuserUrl };
  await run.progress.run('Migrations', () => runScript('store/db/migrate.ts', [], variables));
  return { url: serviceUrl, ownerUrl };
}

async function startEmbeddedPostgres(run: Run) {
  const dataDir = path.join(run.settings.dataDir, 'postgres');
  const options = { dataDir, port: run.ports.postgres, ...filesOf(run, 'postgres') };
  return startService(run, 'postgres', 'Postgres', () => startPostgres(options));
}

export async function startTemporalServer(run: Run) {
  const { settings, ports, progress } = run;
  const { TEMPORAL_ADDRESS: given, TEMPORAL_NAMESPACE: namespace = 'default' } = settings.env;
  if (given) return { address: given, uiUrl: null, cli: null };
  const options = {
    binary: await locateTemporal(settings.env, progress),
    dataDir: path.join(settings.dataDir, 'temporal'),
    port: ports.temporal,
    uiPort: ports.temporalUi,
    httpPort: ports.temporalHttp,
    namespace,
    ...filesOf(run, 'temporal'),
  };
  const launch = () => startTemporal(options);
  const { address, uiUrl } = await startService(run, 'temporal', 'Temporal', launch);
  return { address, uiUrl, cli: temporalLine(options.binary, address, namespace) };
}

/** A little more than the API and the worker allow themselves to shut down. */
const GRACE_MS = 28_000;

/** `docker-compose.yml` starts them with the same arguments. */
export async function startApiAndWorker(run: Run, env: NodeJS.ProcessEnv): Promise<void> {
  const { ops, workerOps } = run.ports;
  const ofWorker = ['--max-semi-space-size=8', 'worker/worker.ts'];
  const api = () => startNodeProcess(run, env, 'api', ['api/server.ts'], ops);
  const worker = () => startNodeProcess(run, env, 'worker', ofWorker, workerOps);
  // The last one stops first.
  await Promise.all([
    startService(run, 'worker', 'Worker', worker),
    startService(run, 'api', 'API', api),
  ]);
}

async function startNodeProcess(
  run: Run,
  env: NodeJS.ProcessEnv,
  name: ServiceName,
  args: string[],
  opsPort: number,
): Promise<SupervisedProcess> {
  const program = { name, command: process.execPath, args, env, cwd: root, graceMs: GRACE_MS };
  const service = await startSupervised({ ...program, ...filesOf(run, name) });
  const checkReadiness = async () => {
    const url = `http://127.0.0.1:${opsPort}/readyz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    if (!response.ok) throw new Error(await response.text());
  };
  const isAborted = () => run.resources.disposed;
  await waitUntilReady(service, checkReadiness, { what: `The ${name}`, isAborted });
  return service;
}

/** `launch` resolves when the service is ready. */
function startService<T extends SupervisedProcess>(
  run: Run,
  name: ServiceName,
  title: string,
  launch: () => Promise<T>,
): Promise<T> {
  let launched: Promise<T>;
  async function start(): Promise<T> {
    const server = await (launched = launch());
    void server.exited.then((exit) => run.onUnexpectedExit(name, exit, server.logFile));
    return server;
  }
  /** Waits for a start under way, whose caller handles the error. */
  const stop = async () => void (await (await launched.catch(() => undefined))?.stop());
  run.resources.defer(() => run.progress.run(`Stopping ${name}`, stop));
  run.services.set(name, { start, running: () => launched });
  return run.progress.run(title, start);
}
