import net from 'node:net';
import process from 'node:process';
import type { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { createLog } from '../platform/log.ts';
import { newUuid } from '../platform/new-uuid.ts';
import { stopGracefully } from '../platform/graceful-shutdown.ts';
import { createOperationsServer, listen } from '../platform/operations-server.ts';
import { parseConfig, type Config } from '../platform/config.ts';
import { formatStartupError } from '../platform/startup-error.ts';
import { connectDatabase, retryAtStart } from '../store/db/database.ts';
import { checkSchema, databaseProbes, untilMigrated } from '../store/db/schema-version.ts';
import { stateGauges } from '../store/leads/work-states.ts';
import { createRulesetStore } from '../store/routing/rulesets.ts';
import { checkSecretsKey } from '../store/webhooks/endpoints.ts';
import { positionEvents } from '../store/webhooks/event-feed.ts';
import { connectTemporal, isTemporalReachable } from '../temporal/connection.ts';
import { ensureHousekeepingSchedule } from '../temporal/housekeeping-client.ts';
import { isBusy } from '../temporal/lead-lifecycle-client.ts';
import type { ActivityContext } from '../activities/context.ts';
import { createBulkRelay, relayOutbox, type RelayContext } from './outbox-relay.ts';
import { createNamespaceCheck } from './prepare-namespace.ts';
import { createReconciler } from './reconciler.ts';
import { startPollLoop } from './poll-loop.ts';
import { createAnnouncer, createQueueOwner } from './waiting-leads.ts';
import { installTemporalRuntime } from './temporal-runtime.ts';
import {
  publishBuildInfo,
  readDeploymentVersion,
  runsWithoutWorker,
  startVersionReports,
} from './deployment-version.ts';
import { createWorkers } from './workers.ts';

const RELAY_EVERY_MS = 500;
/** A pause even if more leads wait. */
const BULK_EVERY_MS = 200;
const QUEUE_EVERY_MS = 200;
/** A pause even if many leads are overdue: each pass reads all that were reminded lately. */
const REMIND_EVERY_MS = 1000;
/** Keeps the queue short while no client reads. Readers do this too. */
const POSITION_EVERY_MS = 1000;
const PREPARE_EVERY_MS = 30_000;
const TEMPORAL_CALL_LIMIT_MS = 10_000;
/** For each IP address of a host. Node's 250 ms are too short for a distant host. */
const CONNECT_LIMIT_MS = 2500;

/** Longer than any activity: the slowest, daily maintenance, takes a second per million rows. */
const QUERY_TIMEOUT_MS = 30_000;

async function main(config: Config): Promise<void> {
  const log = createLog('worker', config.logLevel);
  net.setDefaultAutoSelectFamilyAttemptTimeout(CONNECT_LIMIT_MS);
  const version = await readDeploymentVersion(config.worker);
  publishBuildInfo(config.worker, version);
  const readLibraryMetrics = await installTemporalRuntime(log);
  const { url, poolSize } = config.database;
  const limits = { poolSize, queryTimeoutMs: QUERY_TIMEOUT_MS, genericPlans: true };
  const database = await connectDatabase({ url, ...limits });
  await retryAtStart(() => checkSchema(database));
  await untilMigrated(database, () =>
    log.warn('A migration is missing: the worker begins after npm run migrate.'),
  );
  await retryAtStart(() => checkSecretsKey(database, config.secretsKey));
  const temporal = await connectTemporal(config.temporal);
  const namespaceCheck = createNamespaceCheck(temporal.client, log);
  const context: ActivityContext = {
    config,
    database,
    rulesets: createRulesetStore(),
    missingSearchAttributes: namespaceCheck.missing,
    now: () => new Date(),
    newId: () => newUuid(new Date()),
  };
  const connection = await NativeConnection.connect(config.temporal.connectionOptions);
  const prepare = async () => {
    await namespaceCheck.run();
    await ensureHousekeepingSchedule(temporal.client, config.companyTimeZone);
  };
  await retryAtStart(prepare, isBusy);
  const { address, namespace } = config.temporal;
  const workers = await createWorkers(context, { connection, namespace }, version);
  const loops = startLoops({ ...context, log }, temporal.client, prepare);
  if (version) loops.push(startVersionReports(temporal.client, version, { address, log }));
  const operations = createOperationsServer({
    required: {
      ...databaseProbes(database),
      running: async () => workers.every((worker) => worker.getState() === 'RUNNING'),
    },
    reported: { temporal: () => isTemporalReachable(temporal.client) },
    gauges: [...stateGauges(database), runsWithoutWorker(temporal.client)],
    readLibraryMetrics,
  });
  await listen(operations, config.workerOpsPort, config.host);
  const runs = workers.map((worker) => worker.run());
  stopGracefully(log, [
    () => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      return Promise.allSettled(runs);
    },
    () => Promise.all(loops.map((loop) => loop.stop())),
    () => connection.close(),
    () => temporal.close(),
    () => database.close(),
  ]);
  log.info({ opsPort: config.workerOpsPort, ...version }, 'ready');
  await Promise.all(runs);
}

function startLoops(
  context: ActivityContext & RelayContext,
  client: Client,
  prepare: () => Promise<void>,
) {
  const { database, log } = context;
  const remind = createReconciler(context);
  const placeWaiting = createQueueOwner(context, createAnnouncer(context, client));
  const relayBulk = createBulkRelay(context, client);
  return [
    { name: 'relay', work: () => relayOutbox(context, client), everyMs: RELAY_EVERY_MS },
    { name: 'bulk relay', work: () => relayBulk().then(() => 0), everyMs: BULK_EVERY_MS },
    { name: 'waiting leads', work: placeWaiting, everyMs: QUEUE_EVERY_MS },
    { name: 'reconciler', work: () => remind().then(() => 0), everyMs: REMIND_EVERY_MS },
    { name: 'event feed', work: () => positionEvents(database), everyMs: POSITION_EVERY_MS },
    { name: 'namespace', work: () => prepare().then(() => 0), everyMs: PREPARE_EVERY_MS },
  ].map(({ work, ...loop }) => {
    // The deadline limits how long Temporal can delay a loop.
    const bounded = () => client.withDeadline(Date.now() + TEMPORAL_CALL_LIMIT_MS, work);
    return startPollLoop(bounded, { ...loop, log });
  });
}

try {
  // eslint-disable-next-line no-restricted-properties -- an entry point
  await main(parseConfig(process.env));
} catch (error) {
  process.stderr.write(`${formatStartupError('The worker ended.', error)}\n`);
  process.exit(1);
}
