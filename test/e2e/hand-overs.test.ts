import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { waitUntil } from '../../dev/wait-until.ts';
import type { HandOver } from '../../domain/assignment/hand-over.ts';
import { startTestApi } from '../support/api.ts';
import { withCompileCache } from '../support/environment.ts';
import { startGrpcProxy } from '../support/grpc-proxy.ts';
import { leadActions } from '../support/lead-actions.ts';
import { startServiceProcess } from '../support/process.ts';
import {
  activateRules,
  expectSameAgain,
  makePool,
  makeSource,
  makeTeam,
} from '../support/routing.ts';
import { createTestDispatcher, openTestTemporal } from '../support/temporal.ts';
import { expectPaths, inLanes, leadRecords } from './assertions.ts';

// HAND_OVERS=5000 carries out so many actions; fewer show the same in the time of an ordinary run.
// eslint-disable-next-line no-restricted-properties -- set by whoever wants the long run
const ACTIONS = Number(process.env.HAND_OVERS ?? 240);
const WIDTH = 24;
const TIMEOUT_MS = 240_000 + ACTIONS * 200;
const SEED = 17;
const root = fileURLToPath(new URL('../..', import.meta.url));

type Act = 'update' | 'respond' | 'claim' | 'assign' | 'pool' | 'reroute';

const target = fc.nat();
const act = fc.constantFrom<Act>('update', 'respond', 'claim', 'assign', 'pool', 'reroute');
const plan = fc.sample(fc.record({ act, target, agent: fc.nat() }), {
  seed: SEED,
  numRuns: ACTIONS,
});

let kills = 0;
const moved: string[] = [];
const claimed: string[] = [];

const temporal = await openTestTemporal();
const api = await startTestApi({
  temporal: temporal.client,
  leads: (database) => createTestDispatcher(temporal.client, database),
});
const actions = leadActions(api, temporal.client);
/** Paused, as one who left: the rules give her no lead back. */
const sara = await actions.addAgent({ name: 'Sara H', paused_at: new Date() });
const others = [await actions.addAgent(), await actions.addAgent(), await actions.addAgent()];
const poolId = await makePool(api.database);
await makeRules();
let worker = await startWorker();
afterAll(async () => {
  await worker.stop();
  await api.stop();
  await temporal.connection.close();
});
await carryOutAtOnce(await createLeads());
await untilIdle('An idle service');
const leads = await leadRecords(api.database);

function environment() {
  return {
    DATABASE_URL: api.config.database.url,
    TEMPORAL_ADDRESS: temporal.target.address,
    TEMPORAL_NAMESPACE: temporal.target.namespace,
    SECRETS_KEY: '11'.repeat(32),
    RECONCILE_AFTER_SECONDS: '2',
    LOG_LEVEL: 'warn',
  };
}

function startWorker() {
  return startServiceProcess('worker/worker.ts', environment());
}

async function makeRules(): Promise<void> {
  const pooled = await makeSource(api.database, 'Pooled');
  const teamId = await makeTeam(api.database, [sara, ...others]);
  await activateRules(api.database, [
    {
      name: 'Pool',
      target: { kind: 'pool', poolId },
      when: [[{ field: 'source', op: 'in', values: [pooled] }]],
    },
    { name: 'Team', target: { kind: 'team', teamId } },
  ]);
}

/** Half of the leads are Sara's, a quarter is in the pool, the rest the team's; some of Sara's are Personal. */
async function createLeads(): Promise<string[]> {
  const bodies = Array.from({ length: ACTIONS }, (_, n) =>
    n % 20 === 0
      ? { assignedBy: sara.email, distributionType: 'personal' }
      : n % 2 === 0
        ? { assignedBy: sara.email }
        : n % 4 === 1
          ? { source: 'Pooled' }
          : {},
  );
  const created: string[] = [];
  await inLanes(bodies, WIDTH, async (body) => created.push(await actions.create(body)));
  await untilIdle('Every lead routed');
  return created;
}

async function untilIdle(what: string): Promise<void> {
  const isIdle = async () =>
    expect(
      await api.database.query(
        `select id from leads where assignment_status = 'pending' union all select lead_id from lead_outbox`,
      ),
    ).toEqual([]);
  await waitUntil(isIdle, { what, timeoutMs: TIMEOUT_MS, everyMs: 200 });
}

/** The plan, the release of Sara's leads, and what kills both it and the worker, twice. */
async function carryOutAtOnce(held: readonly string[]): Promise<void> {
  await Promise.all([
    inLanes(plan, WIDTH, (each) => carryOut(each, held[each.target % held.length] as string)),
    releaseWithKills(),
    killWorkers(),
  ]);
}

async function carryOut({ act: what, agent }: (typeof plan)[number], leadId: string) {
  const agentId = others[agent % others.length]?.id ?? '';
  switch (what) {
    case 'update':
      return void (await actions.update(leadId, { initialInquiry: `Inquiry ${agent}` }));
    case 'respond':
      return actions.respond(leadId);
    case 'claim':
      return void ((await actions.claim(leadId, agentId)).claimed && claimed.push(leadId));
    case 'assign':
      return handOver(leadId, { kind: 'agent', agentId });
    case 'pool':
      return handOver(leadId, { kind: 'pool', poolId });
    case 'reroute':
      return handOver(leadId, { kind: 'rules' });
  }
}

async function handOver(leadId: string, to: HandOver['target']): Promise<void> {
  if ((await actions.handOver(leadId, to)).moved) moved.push(leadId);
}

const released = async (): Promise<number> => {
  const [row] = await api.database.query<{ count: number }>(
    `select count(*)::int as count from assignments a join hand_overs h on h.id = a.hand_over_id
     where h.released_agent_id is not null`,
  );
  return row?.count ?? 0;
};

/** `leadctl agent release` in processes of their own: two are killed in the middle, others end. */
async function releaseWithKills(): Promise<void> {
  await releaseUntilKilled();
  await releaseUntilKilled();
  kills += 2;
  await waitUntil(
    async () => {
      const child = release();
      const code = await new Promise((resolve) => child.once('exit', resolve));
      if (code !== 0) throw new Error(`it ended with ${String(code)}`);
    },
    { what: 'A release that ends', timeoutMs: TIMEOUT_MS },
  );
}

/** Killed as it sends a tenth of what Sara held: more leads than it sends at once, and fewer than she is sure to hold. */
async function releaseUntilKilled(): Promise<void> {
  let sent = 0;
  const proxy = await startGrpcProxy(temporal.target.address, {
    refuse({ method }) {
      if (method === 'ExecuteMultiOperation') sent += 1;
      if (sent >= ACTIONS / 20) child.kill('SIGKILL');
      return null;
    },
  });
  const child = release({ TEMPORAL_ADDRESS: proxy.address });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  await proxy.stop();
  // One that gave up while no worker was there is begun again.
  if (code === 1) return releaseUntilKilled();
  if (signal !== 'SIGKILL') throw new Error('A release ended before it was killed.');
}

function release(variables: Record<string, string> = {}) {
  const words = ['agent', 'release', sara.email, '--to', 'rules', '--yes', '--json'];
  return spawn(process.execPath, ['cli/main.ts', ...words], {
    cwd: root,
    stdio: 'ignore',
    env: withCompileCache({ ...environment(), LEADCTL_AUTHOR: 'noor', ...variables }),
  });
}

/** With -9, once a third and once two thirds of what is planned has happened. */
async function killWorkers(): Promise<void> {
  for (const share of [1 / 3, 2 / 3]) {
    await waitUntil(
      async () => {
        if (moved.length + claimed.length < (share * ACTIONS) / 4) throw new Error('too early');
      },
      { what: 'Actions under way', timeoutMs: TIMEOUT_MS, everyMs: 20 },
    );
    await worker.stop('SIGKILL');
    worker = await startWorker();
    kills += 1;
  }
}

describe(`after ${ACTIONS} actions, a release, and kills of it and of the worker at once`, () => {
  test('release and worker were killed twice each', () => {
    expect(kills).toBe(4);
  });

  test('every history is a path of the transition table, with one holder', () => {
    expectPaths(leads);
  });

  test('each request that moved a lead is in its history once, as is each claim', async () => {
    const rows = await api.database.query<{ id: string; by: string }>(
      `select a.lead_id as id, a.decided_by as by from assignments a
       left join hand_overs h on h.id = a.hand_over_id
       where a.decided_by = 'claim' or (a.decided_by = 'operator' and h.released_agent_id is null)`,
    );
    const of = (by: string) => rows.filter((row) => row.by === by).map(({ id }) => id);
    expect(of('operator').toSorted()).toEqual(moved.toSorted());
    expect(of('claim').toSorted()).toEqual(claimed.toSorted());
  });

  test('nothing that waits is left to the agent who was released', async () => {
    const rows = await api.database.query<{ id: string }>(
      `select id from leads where owner_id = $1 and agent_responded_at is null and not is_personal`,
      [sara.id],
    );
    expect(rows).toEqual([]);
    expect(await released()).toBeGreaterThan(ACTIONS / 20);
  });

  test('Personal leads are where they were', () => {
    const personal = [...leads.values()].filter(({ isPersonal }) => isPersonal);
    expect(personal.length).toBe(Math.ceil(ACTIONS / 20));
    for (const lead of personal) expect(lead).toMatchObject({ ownerId: sara.id, history: [{}] });
  });

  test('every move names its operator, and is explained by a rule where the rules decided it', async () => {
    const unexplained = await api.database.query(
      `select a.id from assignments a left join hand_overs h on h.id = a.hand_over_id
       left join routing_decisions d on d.assignment_id = a.id
       left join operator_texts t on t.hand_over_id = h.id
       where a.decided_by = 'operator'
         and (h.author is null or t.text is null and h.released_agent_id is null or a.reason = ''
              or (h.target = 'rules') <> (d.assignment_id is not null))`,
    );
    expect(unexplained).toEqual([]);
  });

  test('every decision comes out the same when it is made again', async () => {
    const decisions = await expectSameAgain(api.database);
    const operators = decisions.filter(({ decidedBy }) => decidedBy === 'operator').length;
    expect(operators).toBeGreaterThan(ACTIONS / 20);
  });
});
