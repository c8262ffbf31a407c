import '../../support/quiet-temporal.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import { type Received, startReceiver } from '../../../dev/receiver/server.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { fromSetup, withCompileCache } from '../../support/environment.ts';
import { openTestTemporal, signalLead } from '../../support/temporal.ts';
import {
  attemptRows,
  createTestStore,
  deliveryRow,
  makeDelivery,
  makeEndpoint,
} from './support.ts';

const workers: ChildProcess[] = [];
let onReceived: (call: Received) => void = () => undefined;

const store = await createTestStore();
const receiver = await startReceiver({ onReceived: (call) => onReceived(call) });
const { target, client, connection } = await openTestTemporal();
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await connection.close();
  await receiver.stop();
  await store.close();
});

/** The worker as an installation runs it. */
function startWorker(): ChildProcess {
  const env = {
    PATH: '/usr/bin:/bin',
    DATABASE_URL: store.databaseUrl,
    SECRETS_KEY: '11'.repeat(32),
    TEMPORAL_ADDRESS: target.address,
    TEMPORAL_NAMESPACE: target.namespace,
    WEBHOOK_ALLOW_PRIVATE: '1',
    WORKER_OPS_PORT: '0',
    LOG_LEVEL: 'error',
    WORKFLOW_BUNDLE: fromSetup('TEST_WORKFLOWS'),
  };
  const options = { env: withCompileCache(env), stdio: 'ignore' } as const;
  const worker = spawn(process.execPath, ['worker/worker.ts'], options);
  workers.push(worker);
  return worker;
}

test('a worker killed after the receiver got it: delivered again with the same id', async () => {
  const endpoint = await makeEndpoint(store, `${receiver.url}/hooks/killed`);
  const delivery = await makeDelivery(store, endpoint);
  receiver.setBehaviour({ mode: 'hang', times: 1 });
  const first = startWorker();
  onReceived = () => {
    onReceived = () => undefined;
    first.once('exit', () => startWorker());
    first.kill('SIGKILL');
  };
  await signalLead(client, delivery.leadId, 'recover');
  await leadRun(client, delivery.leadId).result();
  const [second, lost] = receiver.received();
  expect([second?.id, second?.raw]).toEqual([lost?.id, lost?.raw]);
  expect(receiver.received()).toHaveLength(2);
  // What was not recorded did not count against the schedule.
  expect(await attemptRows(store, delivery)).toHaveLength(1);
  expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'delivered', attempts: 1 });
});
