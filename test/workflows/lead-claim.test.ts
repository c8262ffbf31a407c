import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { taskQueues } from '../../workflows/contracts/task-queues.ts';
import { startTestApi } from '../support/api.ts';
import { leadActions } from '../support/lead-actions.ts';
import { activateRules, makeAgent, makePool } from '../support/routing.ts';
import { openTestTemporal, signalLead } from '../support/temporal.ts';
import {
  runWorkers,
  startTestWorkers,
  testActivityContext,
  type TestWorkers,
} from '../support/worker.ts';

let workers: TestWorkers | undefined;
const temporal = await openTestTemporal();
const api = await startTestApi({ temporal: temporal.client });
afterAll(async () => {
  await workers?.stop();
  await api.stop();
  await temporal.connection.close();
});

const startWorkers = () =>
  startTestWorkers(testActivityContext(api.database, api.config), temporal.target);

async function startStuckWorker(): Promise<{ stop(): Promise<void> }> {
  const { address, namespace } = temporal.target;
  const connection = await NativeConnection.connect({ address });
  const workflowsPath = fileURLToPath(new URL('planted/stuck-lead-lifecycle.ts', import.meta.url));
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('ERROR'),
  });
  const taskQueue = taskQueues.lifecycle;
  const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle });
  return runWorkers([worker], connection);
}

/** From the third failure on the server takes no Update for the run. */
async function takesNoUpdate(leadId: string): Promise<void> {
  const handle = leadRun(temporal.client, leadId);
  const { raw } = await handle.describe();
  expect(raw.pendingWorkflowTask?.attempt).toBeGreaterThan(2);
}

test('a claim is made once the tasks of its lead, which kept failing, succeed again', async () => {
  const poolId = await makePool(api.database);
  await activateRules(api.database, [{ target: { kind: 'pool', poolId } }]);
  const agent = await makeAgent(api.database);
  const { create, becomes, claim } = leadActions(api, temporal.client);
  workers = await startWorkers();
  const leadId = await create();
  await signalLead(temporal.client, leadId, 'created');
  await becomes(leadId, 'pool');
  await workers.stop();

  const stuck = await startStuckWorker();
  await signalLead(temporal.client, leadId, 'rerouted');
  await waitUntil(() => takesNoUpdate(leadId), { what: 'The third failure' });
  const outcome = claim(leadId, agent.id);
  await stuck.stop();
  workers = await startWorkers();
  expect(await outcome).toEqual({ claimed: true, agentId: agent.id });
});
