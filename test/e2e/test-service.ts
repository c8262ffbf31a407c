import '../support/quiet-temporal.ts';
import { NativeConnection, Worker } from '@temporalio/worker';
import { fromSetup } from '../support/environment.ts';
import { pino } from 'pino';
import { createLeadActivities } from '../../activities/leads/lead-activities.ts';
import { createBulkRelay, relayOutbox } from '../../worker/outbox-relay.ts';
import { createReconciler } from '../../worker/reconciler.ts';
import { startPollLoop } from '../../worker/poll-loop.ts';
import { createAnnouncer, createQueueOwner } from '../../worker/waiting-leads.ts';
import { workflowFailureErrorTypes } from '../../worker/workers.ts';
import { taskQueues } from '../../workflows/contracts/task-queues.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { leadActions } from '../support/lead-actions.ts';
import { createTestDispatcher, openTestTemporal } from '../support/temporal.ts';
import { runWorkers, testActivityContext } from '../support/worker.ts';

export type TestService = Awaited<ReturnType<typeof startTestService>>;

const log = pino({ level: 'silent' });

/** Short follow-ups after claims; the reconciler takes leads that are two seconds overdue. */
const VARIABLES = { FOLLOW_UP_MINUTES: '0.02', RECONCILE_AFTER_SECONDS: '2' };

/** API, relay, reconciler and worker on a real Postgres and Temporal. */
export async function startTestService() {
  const { target, client: temporal, connection } = await openTestTemporal();
  const leads = (database: TestApi['database']) => createTestDispatcher(temporal, database);
  const api = await startTestApi({ temporal, variables: VARIABLES, leads });
  const context = testActivityContext(api.database, api.config);
  const worker = await startUncachedWorker(context, target);
  const placeWaiting = createQueueOwner(context, createAnnouncer(context, temporal));
  const loops = [
    startPollLoop(() => relayOutbox(context, temporal), { everyMs: 200, name: 'relay', log }),
    startPollLoop(createBulkRelay(context, temporal), { everyMs: 200, name: 'bulk relay', log }),
    startPollLoop(placeWaiting, { everyMs: 100, name: 'waiting leads', log }),
    startPollLoop(createReconciler(context), { everyMs: 500, name: 'reconciler', log }),
  ];
  return {
    ...leadActions(api, temporal),
    api,
    temporal,
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await worker.stop();
      await api.stop();
      await connection.close();
    },
  };
}

/** Caches no workflow, so that each workflow task replays the history. */
async function startUncachedWorker(
  context: Parameters<typeof createLeadActivities>[0],
  { address, namespace }: { address: string; namespace: string },
) {
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: taskQueues.lifecycle,
    workflowBundle: { codePath: fromSetup('TEST_WORKFLOWS') },
    activities: createLeadActivities(context),
    maxCachedWorkflows: 0,
    workflowFailureErrorTypes,
  });
  return runWorkers([worker], connection);
}
