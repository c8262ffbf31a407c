import { endLeftovers } from './process/pid-file.ts';
import { step, type Progress } from './progress.ts';
import {
  leadctlLine,
  publishAddresses,
  withdrawAddresses,
  type Addresses,
  sharedSettings,
  startVariables,
} from './stack/addresses.ts';
import { giveRunsToWorker } from './stack/current-version.ts';
import { ensureDemoClient, importDemoData, isAccepted } from './stack/demo-data.ts';
import { choosePorts, serviceEnvironment, settingsFrom } from './stack/settings.ts';
import {
  type Run,
  type Service,
  type ServiceName,
  startApiAndWorker,
  startDatabase,
  startDncrRegistry,
  startTemporalServer,
  startWebhookReceiver,
} from './stack/services.ts';
import { openStackState, runningFolder, takeFolder } from './stack/data-folder.ts';

interface StackOptions {
  /** DATA_DIR, PORT, DEMO_DATA and so on; all of it is passed on to API and worker. */
  env: NodeJS.ProcessEnv;
  progress: Progress;
  /** Called when a program of the stack ends that nobody stopped. */
  onUnexpectedExit: Run['onUnexpectedExit'];
}

export type StackControl = ReturnType<typeof createStack>;

export type Stack = Awaited<ReturnType<StackControl['start']>>;

/** Starts everything that the environment does not give. */
export function createStack({ env, progress, onUnexpectedExit }: StackOptions) {
  const settings = settingsFrom(env);
  const { dataDir } = settings;
  let releaseFolder: (() => void) | undefined;
  let run: Run | undefined;
  let stopped: Promise<void> | undefined;

  async function start() {
    for (const notice of settings.notices) progress.say(notice);
    releaseFolder = await takeFolder(dataDir);
    await endLeftovers(runningFolder(dataDir));
    const { ports, release } = await choosePorts(settings);
    withdrawAddresses(dataDir); // those of a stack that was killed
    const services = new Map<ServiceName, Service>();
    run = {
      settings,
      ports,
      progress,
      services,
      resources: new AsyncDisposableStack(),
      onUnexpectedExit: (...exit) => {
        if (stopped === undefined) onUnexpectedExit(...exit);
      },
    };
    run.resources.defer(release);
    const { addresses, ...started } = await startAll(run);
    publishAddresses(dataDir, addresses);
    return { ...addresses, ...started, dataDir, services, stop };
  }

  async function end(): Promise<void> {
    // The folder's content belongs to another stack if this one does not hold the lock.
    if (!releaseFolder) return;
    withdrawAddresses(dataDir);
    await run?.resources.disposeAsync();
    releaseFolder();
  }

  /** May be called while it starts; after a start that failed it leaves nothing running. */
  const stop = () => (stopped ??= end());
  return { dataDir, start, stop };
}

async function startAll(run: Run) {
  const { settings, ports, progress } = run;
  const [database, temporal, registry, receiver] = await Promise.all([
    startDatabase(run),
    startTemporalServer(run),
    startDncrRegistry(run),
    startWebhookReceiver(run),
  ]);
  const found = { databaseUrl: database.url, temporalAddress: temporal.address };
  const env = serviceEnvironment(settings, { ...found, registry, ports });
  const state = openStackState(settings.dataDir, database.name);
  const isOwnServer = temporal.uiUrl !== null;
  const baseUrl = `http://127.0.0.1:${ports.api}/v2`;
  const ensureClient = () => ensureDemoClient(state, receiver.url, env);
  const [kept] = await Promise.all([
    step(progress, 'Demo client', ensureClient),
    settings.withDemoData && step(progress, 'Demo data', () => importDemoData(state, env)),
    startApiAndWorker(run, env).then(() => giveRunsToWorker(env, { isOwnServer })),
  ]);
  const isKnown = await isAccepted(kept, baseUrl);
  if (!isKnown) state.keep({ client: undefined, createdClient: undefined });
  const { clientId, clientSecret, webhookSecret, hookUrl } = isKnown ? kept : await ensureClient();
  receiver.setSecret(webhookSecret, new URL(hookUrl).pathname);
  const addresses: Addresses = {
    baseUrl,
    opsUrl: `http://127.0.0.1:${ports.ops}`,
    workerOpsUrl: `http://127.0.0.1:${ports.workerOps}`,
    clientId,
    clientSecret,
    ...found,
    temporalUiUrl: temporal.uiUrl,
    registryUrl: registry?.url ?? settings.registryUrl,
    receiverUrl: receiver.url,
    ownerDatabaseUrl: database.ownerUrl,
    leadctl: leadctlLine(settings.dataDir),
    temporalCli: temporal.cli,
    settings: sharedSettings(env),
    ...startVariables(settings.env),
  };
  return { addresses, registry, receiver, env };
}
