import { endLeftovers } from './process/pid-file.ts';
import type { Progress } from './progress.ts';
import { startReceiver } from './receiver/server.ts';
import { startRegistry } from './registry.ts';
import { addressesOf, publishAddresses, withdrawAddresses } from './stack/addresses.ts';
import { giveRunsToWorker } from './stack/current-version.ts';
import { openState, runningFolder, takeFolder, type State } from './stack/data-folder.ts';
import { ensureDemoClient, importDemoData } from './stack/demo-data.ts';
import { choosePorts, serviceEnvironment, settingsFrom } from './stack/settings.ts';
import {
  startApiAndWorker,
  startDatabase,
  startTemporalServer,
  type Run,
} from './stack/services.ts';

interface StackOptions {
  /** The API and the worker get all of it. */
  env: NodeJS.ProcessEnv;
  progress: Progress;
  /** Called when a program ends and the stack is not being stopped. */
  onUnexpectedExit: Run['onUnexpectedExit'];
}

export type StackControl = ReturnType<typeof createStack>;

export type Stack = Awaited<ReturnType<StackControl['start']>>;

export function createStack({ env, progress, onUnexpectedExit }: StackOptions) {
  const settings = settingsFrom(env);
  const { dataDir } = settings;
  const resources = new AsyncDisposableStack();
  let stopped: Promise<void> | undefined;

  async function start() {
    for (const notice of settings.notices) progress.say(notice);
    resources.defer(await takeFolder(dataDir));
    await endLeftovers(runningFolder(dataDir));
    const state = openState(dataDir);
    const { ports, release } = await choosePorts(settings, state);
    resources.defer(release);
    withdrawAddresses(dataDir); // of a stack that was killed
    const run: Run = {
      settings,
      ports,
      progress,
      services: new Map(),
      resources,
      onUnexpectedExit(...exit) {
        if (stopped === undefined) onUnexpectedExit(...exit);
      },
    };
    const { addresses, ...started } = await startAll(run, state);
    resources.defer(() => withdrawAddresses(dataDir));
    publishAddresses(dataDir, addresses);
    state.keep({ startCommand: addresses.startCommand });
    return { ...addresses, ...started, dataDir, services: run.services, stop };
  }

  /** May be called during a start. After a failed start it leaves nothing running. */
  const stop = () => (stopped ??= resources.disposeAsync());
  return { dataDir, start, stop };
}

async function startAll(run: Run, state: State) {
  const { settings, ports, progress } = run;
  const { registry, receiver } = await startSimulations(run);
  const [database, temporal] = await Promise.all([startDatabase(run), startTemporalServer(run)]);
  const env = serviceEnvironment(settings, {
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    registry,
    ports,
  });
  async function createDemo() {
    const ensureClient = () => ensureDemoClient(state, receiver.url, env);
    const created = await progress.run('Demo client', ensureClient);
    if (settings.withDemoData) await progress.run('Demo data', () => importDemoData(state, env));
    return created;
  }
  const [client] = await Promise.all([
    createDemo(),
    startApiAndWorker(run, env).then(() => giveRunsToWorker(env, temporal.uiUrl !== null)),
  ]);
  receiver.setSecret(client.webhookSecret, new URL(client.hookUrl).pathname);
  const found = { settings, env, ports, client, database, temporal, registry, receiver };
  return { addresses: addressesOf(found), receiver, env };
}

/** The DNCR registry, unless DNCR_CHECK_URL is set, and the webhook receiver. Both run in this process. */
async function startSimulations({ settings, ports, resources }: Run) {
  const isOwn = settings.env['DNCR_CHECK_URL'] === undefined;
  const registry = isOwn ? await startRegistry({ port: ports.registry }) : null;
  if (registry) resources.defer(registry.stop);
  const receiver = await startReceiver({ port: ports.receiver });
  resources.defer(receiver.stop);
  return { registry, receiver };
}
