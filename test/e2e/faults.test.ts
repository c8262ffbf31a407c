import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { Stack } from '../../dev/stack.ts';
import type { ServiceName } from '../../dev/stack/services.ts';
import { connectDatabase, type Database } from '../../store/db/database.ts';
import { fromSetup } from '../support/environment.ts';
import { newFolder } from '../support/folder.ts';
import { activateRules, makeAgent, makeTeam } from '../support/routing.ts';
import { startStack } from '../support/stack.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import {
  listEndpoints,
  type EndpointOverview,
  disableEndpoint,
  enableEndpoint,
} from '../../store/webhooks/endpoints.ts';
import { endpointEventTypes } from '../../domain/webhooks/event-payloads.ts';
import { reopenDeliveries } from '../../store/webhooks/deliveries.ts';
import { expectAllRead, startEventReader } from './event-reader.ts';
import {
  createSender,
  expectAcknowledgedOnce,
  expectWeightedDistribution,
  expectFewDuplicates,
  expectAllDelivered,
  waitUntilNothingIsPending,
  waitUntilSettled,
  someDeliveriesAreRetried,
} from './sender.ts';

// The whole product in processes of its own, killed with -9 at chosen moments.

let folder: string;
let stack: Stack;
let database: Database;
let weights: Record<string, number>;

beforeAll(async () => {
  folder = newFolder();
  stack = await startStack({
    env: {
      // eslint-disable-next-line no-restricted-properties -- the programs need PATH and HOME
      ...process.env,
      NODE_OPTIONS: '',
      DATA_DIR: folder,
      DEMO_DATA: '0',
      PORT: '0',
      OPS_PORT: '0',
      RECONCILE_AFTER_SECONDS: '4',
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1',
      LOG_LEVEL: 'warn',
      WORKFLOW_BUNDLE: fromSetup('TEST_WORKFLOWS'),
    },
  });
  database = await connectDatabase({
    url: stack.databaseUrl,
    poolSize: 4,
    connectTimeoutMs: 60_000,
  });
  const [sara, omar] = [await makeAgent(database), await makeAgent(database)];
  weights = { [sara.id]: 2, [omar.id]: 1 };
  const teamId = await makeTeam(database, [sara, omar], [2, 1]);
  await activateRules(database, [{ target: { kind: 'team', teamId } }]);
});

afterAll(async () => {
  await database?.close();
  await stack?.stop();
});

const service = (name: ServiceName) => {
  const found = stack.services.get(name);
  if (!found) throw new Error(`The stack has no ${name}.`);
  return found;
};
const pidOf = async (name: ServiceName) => (await service(name).running()).pid;
const crash = async (name: ServiceName) => (await service(name).running()).kill();

async function expectNothingLost(sender: Awaited<ReturnType<typeof createSender>>): Promise<void> {
  await waitUntilSettled(database);
  await expectAcknowledgedOnce(database, stack, sender);
  await expectWeightedDistribution(database, weights);
}

const ALERTS_PATH = '/hooks/alerts';

async function addAlerts(): Promise<void> {
  stack.receiver.setBehaviour({ mode: 'ok', path: ALERTS_PATH });
  await database.query(
    `insert into webhook_endpoints (id, client_id, url, events, secret_sealed, allow_http, created_at)
     select gen_random_uuid(), client_id, $1, $2, secret_sealed, true, now() from webhook_endpoints`,
    [`${stack.receiver.url}${ALERTS_PATH}`, endpointEventTypes],
  );
}

async function theEndpoint(): Promise<EndpointOverview> {
  const all = { clientId: null, endpointId: null };
  const [endpoint] = await listEndpoints(database, all, new Date());
  return endpoint as EndpointOverview;
}

describe('nothing acknowledged is lost, nothing is routed twice', () => {
  test('when the worker is killed while it routes', async () => {
    const sender = await createSender(stack);
    await sender.sendMany(24);
    const more = sender.sendMany(24);
    await crash('worker');
    await more;
    expect(sender.acknowledged).toHaveLength(48);
    await service('worker').start();
    await expectNothingLost(sender);
  });

  test('when the API is killed after the commit and before the workflow is started', async () => {
    const sender = await createSender(stack);
    process.kill(await pidOf('temporal'), 'SIGSTOP'); // accepts no call and refuses none
    await sender.sendMany(10);
    expect(sender.acknowledged).toHaveLength(10);
    await crash('api');
    process.kill(await pidOf('temporal'), 'SIGCONT');
    await service('api').start();
    await expectNothingLost(sender);
  });

  test('when Temporal is away under load: creates go on answering 201', async () => {
    const sender = await createSender(stack);
    const load = sender.sendMany(60);
    await crash('temporal');
    await load;
    await sender.sendMany(10);
    expect(sender.refused).toEqual([]);
    await service('temporal').start();
    await expectNothingLost(sender);
  });

  test('when Postgres is killed under load: every other request is answered 503', async () => {
    const sender = await createSender(stack);
    const load = sender.sendUntil(() => sender.refused.length >= 20);
    await waitUntil(async () => void expect(sender.acknowledged).not.toEqual([]), {
      what: 'Creates under way',
      everyMs: 2,
    });
    await crash('postgres');
    await load;
    expect(new Set(sender.refused)).toEqual(new Set([503]));
    await service('postgres').start();
    await sender.sendMany(10);
    await expectNothingLost(sender);
  });

  test('when the API or Postgres is killed in the midst of groups of creates', async () => {
    const sender = await createSender(stack);
    for (const name of ['api', 'postgres', 'api', 'postgres'] as const) {
      const before = sender.acknowledged.length;
      let isOver = false;
      const load = sender.sendUntil(() => isOver, 32);
      const isUnderWay = () => void expect(sender.acknowledged.length).toBeGreaterThan(before + 20);
      await waitUntil(async () => isUnderWay(), { what: 'Creates under way', everyMs: 2 });
      await crash(name);
      isOver = true;
      await load;
      await service(name).start();
    }
    await expectNothingLost(sender);
    const twice = await database.query(
      `select value from lead_contact_points group by value having count(*) > 1`,
    );
    expect(twice).toEqual([]);
  });

  test('when Temporal lost its own store with webhooks half-way', async () => {
    const sender = await createSender(stack);
    stack.receiver.setBehaviour({ mode: 'fail', times: 100 });
    const load = sender.sendMany(20);
    // Beside the load: on a busy machine all hundred may have failed before the last create is answered.
    await waitUntil(() => someDeliveriesAreRetried(database), {
      what: 'Webhooks that are retried',
    });
    await crash('worker');
    await load;
    stack.receiver.setBehaviour({ mode: 'ok' });
    await crash('temporal');
    await rm(path.join(folder, 'temporal'), { recursive: true, force: true });
    await service('temporal').start();
    await service('worker').start();
    await expectNothingLost(sender);
    expectFewDuplicates(stack, sender);
  });

  test('when an endpoint is switched off and on under load, and what failed is sent again', async () => {
    const sender = await createSender(stack);
    const { endpointId } = await theEndpoint();
    for (let turn = 0; turn < 3; turn += 1) {
      const load = sender.sendMany(24);
      await disableEndpoint(database, {
        endpointId,
        reason: 'By the test.',
        eventId: `evt_${randomUUID()}`,
        now: new Date(),
      });
      await load;
      await enableEndpoint(database, endpointId, new Date());
    }
    await waitUntilNothingIsPending(database);
    const failed = { eventId: null, endpointId, since: null };
    await reopenDeliveries(database, failed, new Date());
    await waitUntilSettled(database);
    await expectAllDelivered(database, stack);
    expectFewDuplicates(stack, sender);
  });

  test('when Temporal lost its own store', async () => {
    const sender = await createSender(stack);
    await crash('worker');
    await sender.sendMany(10);
    await crash('temporal');
    await rm(path.join(folder, 'temporal'), { recursive: true, force: true });
    await service('temporal').start();
    await service('worker').start();
    await expectNothingLost(sender);
  });

  test('for a reader by cursor, when its endpoint has been dead for six days and the worker is killed twice', async () => {
    const sender = await createSender(stack);
    const reader = startEventReader(sender.get);
    stack.receiver.setBehaviour({ mode: 'close' });
    await addAlerts();
    await database.query(
      `update webhook_endpoints set failing_since = now() - interval '6 days', last_failure_at = now()`,
    );
    for (let crashes = 0; crashes < 2; crashes += 1) {
      const load = sender.sendMany(24);
      await crash('worker');
      await load;
      await service('worker').start();
    }
    await waitUntilNothingIsPending(database);
    const { endpointId, enabled } = await theEndpoint();
    expect(enabled).toBe(false);
    await expectAllRead(database, await reader.finish());
    const arrived = stack.receiver.received().filter(({ answered }) => answered === '200');
    const ids = arrived.map(({ id }) => id);
    const missed = await database.query('select from webhook_events where id <> all ($1)', [ids]);
    expect(missed.length).toBeGreaterThan(48);
    const alerts = arrived.filter((call) => call.path === ALERTS_PATH);
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(1);
    expect(alerts[0]?.body).toMatchObject({ type: 'endpoint.disabled', data: { endpointId } });
  });
});
