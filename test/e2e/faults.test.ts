import process from 'node:process';
import type { ServiceName } from '../../dev/stack/services.ts';
import { connectDatabase } from '../../store/db/database.ts';
import { fromSetup } from '../support/environment.ts';
import { newFolder } from '../support/folder.ts';
import { activateRules, makeAgent, makeTeam } from '../support/routing.ts';
import { startStack } from '../support/stack.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import {
  createSender,
  expectAcknowledgedOnce,
  expectWeightedDistribution,
  waitUntilSettled,
} from './sender.ts';

// The whole product in processes of its own, killed with -9 at chosen moments.

// eslint-disable-next-line no-restricted-properties -- the programs need PATH and HOME
const inherited = process.env;
const stack = await startStack({
  env: {
    ...inherited,
    NODE_OPTIONS: '',
    DATA_DIR: newFolder(),
    DEMO_DATA: '0',
    PORT: '0',
    OPS_PORT: '0',
    RECONCILE_AFTER_SECONDS: '4',
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1',
    LOG_LEVEL: 'warn',
    WORKFLOW_BUNDLE: fromSetup('TEST_WORKFLOWS'),
  },
});
const database = await connectDatabase({
  url: stack.databaseUrl,
  poolSize: 4,
  connectTimeoutMs: 60_000,
});
const agents = [await makeAgent(database), await makeAgent(database)];
const weights = Object.fromEntries(agents.map(({ id }, at) => [id, 2 - at]));
const teamId = await makeTeam(database, agents, [2, 1]);
await activateRules(database, [{ target: { kind: 'team', teamId } }]);
afterAll(async () => {
  await database.close();
  await stack.stop();
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
    // A request that the API did not answer before its end has no status.
    expect(new Set(sender.refused)).toEqual(new Set([0, 503]));
    await expectNothingLost(sender);
    const twice = await database.query(
      `select value from lead_contact_points group by value having count(*) > 1`,
    );
    expect(twice).toEqual([]);
  });
});
