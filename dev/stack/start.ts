import path from 'node:path';
import { startPostgres } from '../postgres.ts';
import { step } from '../progress.ts';
import { startReceiver, type Receiver } from '../receiver/server.ts';
import { startRegistry, type Registry } from '../registry/server.ts';
import { startTemporal } from '../temporal.ts';
import { locateTemporal } from '../temporal/locate.ts';
import { reachTemporal } from '../temporal/reach.ts';
import { runningFolder } from './folder.ts';
import { bringUp, closeAtEnd, startAgain, type Run } from './run.ts';
import { runScript } from './scripts.ts';
import { startService } from './service.ts';
import type { Environment } from './settings.ts';
import { watchOver } from './watch.ts';

const logIn = (run: Run, name: string) => path.join(run.settings.dataDir, 'logs', `${name}.log`);

/** A migrated database: the one that was given, or one of our own. */
export async function bringUpDatabase(run: Run): Promise<{ url: string; name: string }> {
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
  await bringUp(run, 'postgres', 'Postgres', async () => {
    const options = { dataDir, port: run.ports.postgres, logFile: logIn(run, 'postgres') };
    const server = await startPostgres(options);
    url = server.databaseUrl;
    return server.process;
  });
  return url;
}

export async function bringUpTemporal(
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
  await bringUp(run, 'temporal', 'Temporal', async () => {
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
  if (!run.isOver) watch(run, found);
  return found;
}

function watch(run: Run, found: { isStuck: () => Promise<boolean> }): void {
  run.watches.push(
    watchOver({
      isStuck: () => found.isStuck(),
      restart: () => startAgain(run, 'temporal'),
    }),
  );
}

/** Null where another registry, or none, was asked for. */
export async function bringUpRegistry(run: Run): Promise<Registry | null> {
  if (run.settings.dncrCheckUrl !== undefined) return null;
  const registry = await startRegistry({ port: run.ports.registry });
  await closeAtEnd(run, registry.stop);
  return registry;
}

export async function bringUpReceiver(run: Run): Promise<Receiver> {
  const receiver = await startReceiver({ port: run.ports.receiver });
  await closeAtEnd(run, receiver.stop);
  return receiver;
}

export async function bringUpServices(run: Run, env: Environment): Promise<void> {
  const { dataDir } = run.settings;
  const common = { dataDir, env, isGivenUp: () => run.isOver };
  await Promise.all([
    bringUp(run, 'api', 'API', () =>
      startService({ ...common, name: 'api', script: 'api/server.ts', opsPort: run.ports.ops }),
    ),
    bringUp(run, 'worker', 'Worker', () =>
      startService({
        ...common,
        name: 'worker',
        script: 'worker/worker.ts',
        opsPort: run.ports.workerOps,
      }),
    ),
  ]);
}
