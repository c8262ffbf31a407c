import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { startReceiver } from '../../../dev/receiver/server.ts';
import { formatSecret, sealSecret } from '../../../domain/webhooks/secret.ts';
import { insertEndpoint } from '../../../store/webhooks/endpoints.ts';
import { startTestApi, type TestApi, type TestClient } from '../../support/api.ts';
import {
  createTestDispatcher,
  makeCurrent,
  openTestTemporal,
  type TestTemporal,
} from '../../support/temporal.ts';
import { startTestWorkers, testActivityContext } from '../../support/worker.ts';
import { leadActions } from '../../support/lead-actions.ts';
import { withEntityManager } from '../../support/database.ts';

/** Windows and delays are short here: a history replays the same whatever the time between its events. */
export const VARIABLES = { MERGE_WINDOW_HOURS: '0.001', WEBHOOK_RETRY_SECONDS: '0.3,0.3,0.3' };

export type LiveService = Awaited<ReturnType<typeof startLiveService>>;

interface LiveOptions {
  /** The version of versioned workers. */
  version?: WorkerDeploymentVersion | null;
  /** A namespace that lacks search attributes; without it one that has all. */
  lacking?: { temporal: TestTemporal; missing: () => readonly string[] };
}

/** The product on a real Postgres and a real Temporal, to make scenarios happen on. */
export async function startLiveService(
  variables: Record<string, string> = VARIABLES,
  { version = null, lacking }: LiveOptions = {},
) {
  const { target, client: temporal, connection } = lacking?.temporal ?? (await openTestTemporal());
  let isAway = false;
  const api = await startTestApi({
    temporal,
    variables,
    leads(database) {
      const dispatcher = createTestDispatcher(temporal, database);
      const signalLead: typeof dispatcher.signalLead = (...signal) => {
        if (!isAway) dispatcher.signalLead(...signal);
      };
      return { signalLead, waiting: 0, drain: () => dispatcher.drain() };
    },
  });
  const context = testActivityContext(api.database, api.config);
  const missingSearchAttributes = lacking?.missing ?? context.missingSearchAttributes;
  const workers = await startTestWorkers({ ...context, missingSearchAttributes }, target, version);
  if (version) await makeCurrent(temporal, version);
  const receiver = await startReceiver();
  return {
    ...leadActions(api, temporal),
    api,
    temporal,
    workers,
    receiver,
    /** While it is away, no lead is signalled. */
    setTemporalAway: (away: boolean) => void (isAway = away),
    /** An endpoint at the receiver's path, of a client of its own unless one is named. */
    addListener: (hook: string, client?: TestClient) =>
      addListener(api, `${receiver.url}/hooks/${hook}`, client),
    async stop() {
      await workers.stop();
      await api.stop();
      await connection.close();
      await receiver.stop();
    },
  };
}

/** The same with workers of a version, as WORKER_DEPLOYMENT makes them. */
export function startVersionedService(): Promise<LiveService> {
  return startLiveService(VARIABLES, {
    version: { deploymentName: 'lead-intake', buildId: 'first' },
  });
}

/** An endpoint of the client, or of a new one, for the events that an endpoint gets by default. */
export async function addListener(
  api: TestApi,
  url: string,
  known?: TestClient,
): Promise<TestClient> {
  const client = known ?? (await api.addClient({ name: url }));
  const secretSealed = sealSecret(
    formatSecret(randomBytes(32)),
    api.config.secretsKey,
    randomBytes(12),
  );
  const events = ['lead.created', 'lead.assigned'];
  const { clientId } = client;
  const endpoint = { id: randomUUID(), clientId, url, events, secretSealed, allowHttp: true };
  await withEntityManager(api, (em) => insertEndpoint(em, endpoint, new Date()));
  return client;
}
