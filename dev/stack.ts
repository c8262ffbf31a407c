import { endLeftovers } from './process/pid-file.ts';
import type { Progress } from './progress.ts';
import { addressesOf, baseUrlOf, publishAddresses, withdrawAddresses } from './stack/addresses.ts';
import { giveRunsToWorker } from './stack/current-version.ts';
import { openState, runningFolder, takeFolder, type State } from './stack/data-folder.ts';
import { ensureDemoClient, importDemoData, isAccepted } from './stack/demo-data.ts';
import { choosePorts, serviceEnvironment, settingsFrom } from './stack/settings.ts';
import {
  type Run,
  startApiAndWorker,
  startDatabase,
  startDncrRegistry,
  startTemporalServer,
  startWebhookReceiver,
} from './stack/services.ts';

interface StackOptions {
  /** DATA_DIR, PORT, DEMO_DATA and so on; all of it is passed on to API and worker. */
  env: NodeJS.ProcessEnv;
  progress: Progress;
  /** Called when a program of the stack ends that nobody stopped. */
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
    withdrawAddresses(dataDir); // those of a stack that was killed
    const services: Run['services'] = new Map();
    const run = {
      settings,
      ports,
      progress,
      services,
      resources,
      onUnexpectedExit: (...exit: Parameters<typeof onUnexpectedExit>) => {
        if (stopped === undefined) onUnexpectedExit(...exit);
      },
    };
    const { addresses, ...started } = await startAll(run, state);
    resources.defer(() => withdrawAddresses(dataDir));
    publishAddresses(dataDir, addresses);
    return { ...addresses, ...started, dataDir, services, stop };
  }

  /** May be called while it starts; after a start that failed it leaves nothing running. */
  const stop = () => (stopped ??= resources.disposeAsync());
  return { dataDir, start, stop };
}

async function startAll(run: Run, state: State) {
  const { settings, ports, progress } = run;
  const [database, temporal, registry, receiver] = await Promise.all([
    startDatabase(run),
    startTemporalServer(run),
    startDncrRegistry(run),
    startWebhookReceiver(run),
  ]);
  state.useDatabase(database.name);
  const found = { databaseUrl: database.url, temporalAddress: temporal.address };
  const env = serviceEnvironment(settings, { ...found, registry, ports });
  const isOwnServer = temporal.uiUrl !== null;
  const ensureClient = () => ensureDemoClient(state, receiver.url, env);
  const [kept] = await Promise.all([
    progress.run('Demo client', ensureClient),
    settings.withDemoData && progress.run('Demo data', () => importDemoData(state, env)),
    startApiAndWorker(run, env).then(() => giveRunsToWorker(env, { isOwnServer })),
  ]);
  const isKnown = await isAccepted(kept, baseUrlOf(ports));
  if (!isKnown) state.keepOfDatabase({ client: undefined });
  const client = isKnown ? kept : await ensureClient();
  receiver.setSecret(client.webhookSecret, new URL(client.hookUrl).pathname);
  const addresses = addressesOf({
    settings,
    env,
    ports,
    client,
    database,
    temporal,
    registry,
    receiver,
  });
  return { addresses, registry, receiver, env };
}
