import { endLeftovers } from './process/pid-file.ts';
import { silentProgress, step, type Progress } from './progress.ts';
import type { Receiver } from './receiver/server.ts';
import type { Registry } from './registry/server.ts';
import { publishAddresses, withdrawAddresses, type Addresses } from './stack/addresses.ts';
import {
  startDatabase,
  startWebhookReceiver,
  startDncrRegistry,
  startApiAndWorker,
  startTemporalServer,
} from './stack/start.ts';
import { ensureDemoClient, isAccepted } from './stack/demo-data.ts';
import { importDemoData } from './stack/demo-data.ts';
import { runningFolder, takeFolder } from './stack/folder.ts';
import { openStackState, type StackState } from './stack/stack-state.ts';
import type { OnUnexpectedExit, Service } from './stack/services.ts';
import { choosePorts } from './stack/ports.ts';
import { stopServices, type ServiceName, type Run } from './stack/services.ts';
import { serviceEnvironment } from './stack/settings.ts';
import { settingsFrom, type Environment, type Settings } from './stack/settings.ts';

export interface StackOptions {
  /** As in "Running it": DATA_DIR, PORT, DEMO_DATA and so on; all of it goes on to API and worker. */
  env: Environment;
  progress?: Progress;
  /** Told when a program of the stack ends that nobody stopped. */
  onUnexpectedExit?: OnUnexpectedExit;
}

export interface Stack extends Addresses {
  dataDir: string;
  /** The programs that the stack started, to crash and to start again. */
  services: ReadonlyMap<ServiceName, Service>;
  registry: Registry | null;
  receiver: Receiver;
  /** The environment of API, worker and leadctl. */
  env: Environment;
  stop(): Promise<void>;
}

/** Brings up everything that is not given by the environment; a start that fails leaves nothing behind. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stack = createStack(options);
  try {
    return await stack.start();
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

export interface StackControl {
  start(): Promise<Stack>;
  /** Also good while it starts. */
  stop(): Promise<void>;
}

export function createStack({
  env,
  progress = silentProgress,
  onUnexpectedExit: onDeath,
}: StackOptions): StackControl {
  const settings = settingsFrom(env);
  let release: (() => void) | undefined;
  let run: Run | undefined;
  let stopped: Promise<void> | undefined;

  async function start(): Promise<Stack> {
    release = await takeFolder(settings.dataDir);
    await endLeftovers(runningFolder(settings.dataDir));
    const { ports, release: releasePorts } = await choosePorts(settings);
    withdrawAddresses(settings.dataDir); // a stack that was killed could not
    const tell: OnUnexpectedExit = (...death) => {
      if (stopped === undefined) onDeath?.(...death);
    };
    const parts = new Map<ServiceName, Service>();
    const closers = [releasePorts];
    const watches: Run['watches'] = [];
    run = {
      settings,
      ports,
      progress,
      onUnexpectedExit: tell,
      services: parts,
      watches,
      closers,
      isStopping: false,
    };
    const up = await allUp(run);
    publishAddresses(settings.dataDir, up.addresses);
    return { ...up.addresses, ...up, dataDir: settings.dataDir, services: parts, stop };
  }

  async function end(): Promise<void> {
    // Before it is ours, what the folder holds belongs to another stack.
    if (!release) return;
    withdrawAddresses(settings.dataDir);
    if (run) await stopServices(run);
    release();
  }

  const stop = () => (stopped ??= end());
  return { start, stop };
}

async function allUp(run: Run) {
  const { settings, ports } = run;
  const [database, temporal, registry, receiver] = await Promise.all([
    startDatabase(run),
    startTemporalServer(run),
    startDncrRegistry(run),
    startWebhookReceiver(run),
  ]);
  const found = { databaseUrl: database.url, temporalAddress: temporal.address, registry, ports };
  const env = serviceEnvironment(settings, found);
  const keepsakes = openStackState(settings.dataDir, database.name);
  const baseUrl = `http://127.0.0.1:${ports.api}/v2`;
  const [client] = await Promise.all([
    step(run.progress, 'Demo client', () => ensureDemoClient(keepsakes, receiver.url, env)),
    settings.withDemoData && step(run.progress, 'Demo data', () => importDemoData(keepsakes, env)),
    startApiAndWorker(run, env),
  ]);
  const accepted = await acceptedClient(client, baseUrl, keepsakes, receiver, env);
  const addresses: Addresses = {
    baseUrl,
    opsUrl: `http://127.0.0.1:${ports.ops}`,
    clientId: accepted.clientId,
    clientSecret: accepted.clientSecret,
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    temporalUiUrl: temporal.uiUrl,
    registryUrl: registry?.url ?? givenRegistry(settings),
    receiverUrl: receiver.url,
  };
  return { addresses, registry, receiver, env };
}

async function acceptedClient(
  kept: Awaited<ReturnType<typeof ensureDemoClient>>,
  baseUrl: string,
  keepsakes: StackState,
  receiver: Receiver,
  env: Environment,
) {
  let client = kept;
  if (!(await isAccepted(kept, baseUrl))) {
    keepsakes.set('client', undefined);
    client = await ensureDemoClient(keepsakes, receiver.url, env);
  }
  receiver.setSecret(client.webhookSecret, new URL(client.hookUrl).pathname);
  return client;
}

function givenRegistry({ dncrCheckUrl }: Settings): string | null {
  return dncrCheckUrl === undefined || dncrCheckUrl === 'off' ? null : dncrCheckUrl;
}
