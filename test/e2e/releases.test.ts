import { setTimeout } from 'node:timers/promises';
import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { fromSetup } from '../support/environment.ts';
import { leadActions, type LeadActions } from '../support/lead-actions.ts';
import { startServiceProcess, type ApiProcess } from '../support/process.ts';
import { activateRules, makeTeam } from '../support/routing.ts';
import {
  createTestDispatcher,
  makeCurrent,
  openTestTemporal,
  signalLead,
  type TestTemporal,
} from '../support/temporal.ts';
import { waitUntilIdle } from './assertions.ts';
import { makeIncompatibleRelease, makeRelease, readRun, versionOf } from './release.ts';

// Two releases that cannot continue each other's runs, each in a folder and a worker process of its own.

const ROUNDS = 20;
const deploymentName = 'lead-intake';
/** Each lead gets a response once so many more have come. */
const RESPONSE_AFTER = 10;
/** A lead whose worker is killed waits for the next one to start and for the timeouts of its tasks. */
const RECOVERY_MS = 240_000;
/** Leads come as to a busy company, not as fast as the machine can take them. */
const PACE_MS = 200;
const ONE_SECOND = 1 / 60;

interface Release {
  buildId: string;
  folder: string;
  worker: ApiProcess;
}

let temporal: TestTemporal;
let api: TestApi;
let leads: LeadActions;
let stable: Release;
let incompatible: Release;

beforeAll(async () => {
  temporal = await openTestTemporal();
  api = await startTestApi({
    temporal: temporal.client,
    leads: (database) => createTestDispatcher(temporal.client, database),
  });
  leads = leadActions(api, temporal.client);
  const members = [await leads.addAgent(), await leads.addAgent()];
  const target = { kind: 'team', teamId: await makeTeam(api.database, members) };
  const followUp = { minutes: 2 * ONE_SECOND, onExpiry: 'reassign', maxMoves: 2 };
  await activateRules(api.database, [{ target, followUp }]);
  [stable, incompatible] = await Promise.all([
    start('stable', makeRelease()),
    start('incompatible', makeIncompatibleRelease()),
  ]);
  await makeCurrent(temporal.client, { deploymentName, buildId: stable.buildId });
});
afterAll(async () => {
  await Promise.all([stable, incompatible].map((release) => release?.worker.stop()));
  await api?.stop();
  await temporal?.connection.close();
});

async function start(buildId: string, made: Promise<string>): Promise<Release> {
  const folder = await made;
  return { buildId, folder, worker: await startWorker(buildId, folder) };
}

function startWorker(buildId: string, folder: string): Promise<ApiProcess> {
  const variables = {
    DATABASE_URL: api.config.database.url,
    TEMPORAL_ADDRESS: fromSetup('TEST_TEMPORAL_ADDRESS'),
    TEMPORAL_NAMESPACE: temporal.target.namespace,
    WORKER_DEPLOYMENT: deploymentName,
    WORKER_BUILD_ID: buildId,
  };
  return startServiceProcess('worker/worker.ts', variables, folder);
}

/** Creates leads until it is ended, each once the one before it is assigned, and no sooner than a while after it. */
function startTraffic() {
  const created: string[] = [];
  let isOver = false;
  async function create(): Promise<string> {
    const leadId = await leads.create();
    created.push(leadId);
    const earlier = created.at(-RESPONSE_AFTER);
    if (earlier !== undefined) await leads.respond(earlier);
    return leadId;
  }
  async function createUntilOver(): Promise<void> {
    while (!isOver) {
      const isTime = setTimeout(PACE_MS);
      await leads.becomes(await create(), 'assigned', RECOVERY_MS);
      await isTime;
    }
  }
  const traffic = createUntilOver();
  traffic.catch(() => undefined); // `end` rejects
  const end = async () => {
    isOver = true;
    await traffic;
  };
  return { created, create, end };
}

type Traffic = ReturnType<typeof startTraffic>;

interface Switch {
  at: number;
  buildId: string;
}

/** Makes it current, and creates leads until the run of one is pinned to it. */
async function release({ create }: Traffic, { buildId }: Release): Promise<Switch> {
  await makeCurrent(temporal.client, { deploymentName, buildId });
  const at = Date.now();
  const isUsed = async () => {
    const leadId = await create();
    const pinnedTo = () => versionOf(temporal.client, leadId);
    expect(await waitUntil(pinnedTo, { what: 'Its version', everyMs: 50 })).toBe(buildId);
  };
  await waitUntil(isUsed, { what: `A run on ${buildId}` });
  return { at, buildId };
}

test('an incompatible LeadLifecycle is released and rolled back twenty times under load: no workflow task fails, no lead is lost', async () => {
  const traffic = startTraffic();
  const switches: Switch[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    switches.push(await release(traffic, incompatible));
    if (round === ROUNDS) await incompatible.worker.stop('SIGKILL');
    switches.push(await release(traffic, stable));
  }
  incompatible.worker = await startWorker(incompatible.buildId, incompatible.folder);
  await traffic.end();
  await waitUntilIdle(api.database);

  const assigned = await api.database.query<{ id: string }>(
    `select id from leads where assignment_status = 'assigned'`,
  );
  expect(new Set(assigned.map(({ id }) => id))).toEqual(new Set(traffic.created));
  const runs = await Promise.all(traffic.created.map((leadId) => readRun(temporal.client, leadId)));
  expect(runs.flatMap(({ failures }) => failures)).toEqual([]);
  for (const { buildIds } of runs) expect(buildIds.size).toBe(1);
  const currentAt = (time: number) => switches.findLast(({ at }) => at <= time)?.buildId;
  const continued = runs.filter(({ buildIds, completedAt }) =>
    completedAt.some((time) => !buildIds.has(currentAt(time) ?? stable.buildId)),
  );
  expect(continued.length).toBeGreaterThan(ROUNDS);
  for (const { worker } of [stable, incompatible])
    expect(await metricsOf(worker)).not.toMatch(RUN_FAILED);
});

const RUN_FAILED = /temporal_workflow_failed\{.*LeadLifecycle/;

async function metricsOf({ opsUrl }: ApiProcess): Promise<string> {
  return (await fetch(`${opsUrl}/metrics`)).text();
}

test('a run that is moved to the other version by hand fails there, and leaves its lead to a next run', async () => {
  const leadId = await leads.create();
  await leads.becomes(leadId, 'assigned');
  await makeCurrent(temporal.client, { deploymentName, buildId: incompatible.buildId });
  const run = leadRun(temporal.client, leadId);
  await temporal.client.workflowService.updateWorkflowExecutionOptions({
    namespace: temporal.target.namespace,
    workflowExecution: { workflowId: run.workflowId },
    workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
    updateMask: { paths: ['versioning_override'] },
  });
  // Its follow-ups may be over by now: only a signal is sure to bring a workflow task.
  await signalLead(temporal.client, leadId, 'recover');
  const hasFailed = async () => expect((await run.describe()).status.name).toBe('FAILED');
  await waitUntil(hasFailed, { what: 'The failure' });
  expect(await metricsOf(incompatible.worker)).toMatch(RUN_FAILED);
  await leads.respond(leadId);
  const isContinued = async () => {
    expect(await versionOf(temporal.client, leadId)).toBe(incompatible.buildId);
    expect((await readRun(temporal.client, leadId)).failures).toEqual([]);
  };
  await waitUntil(isContinued, { what: 'The next run' });
});
