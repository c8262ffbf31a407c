import '../../support/quiet-temporal.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import process from 'node:process';
import { waitUntil } from '../../../dev/wait-until.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { fromSetup, withCompileCache } from '../../support/environment.ts';
import { startHoldingProxy, type HoldingProxy } from '../../support/holding-proxy.ts';
import { listenOnLoopback } from '../../support/listen.ts';
import { proxied, type SwitchableProxy } from '../../support/switchable-proxy.ts';
import {
  openTestTemporal,
  signalLead,
  type TestNamespace,
  type TestTemporal,
} from '../../support/temporal.ts';
import {
  attemptRows,
  createTestStore,
  deliveryRow,
  endpointRow,
  makeDelivery,
  makeEndpoint,
  type TestDelivery,
  type TestEndpoint,
  type TestStore,
} from './support.ts';

type Fault = 'frozen' | 'killed' | 'cut off from Temporal' | 'cut off from Postgres';

/** Where in its call the first worker is when the fault comes. */
const points = {
  'before the call': { answer: 200, waits: 'load' },
  'during a call that succeeds late': { answer: 200, waits: 'answer' },
  'during a call that fails late': { answer: 500, waits: 'answer' },
  'during a call that is closed late': { answer: 'close', waits: 'answer' },
  'while the answer is on its way': { answer: 200, waits: 'fault' },
  'before a failure is recorded': { answer: 500, waits: 'statement' },
  'after a failure is recorded': { answer: 500, waits: 'response' },
  'before a success is recorded': { answer: 200, waits: 'statement' },
  'after a success is recorded': { answer: 200, waits: 'response' },
} as const;
type Point = keyof typeof points;

/** What may have happened once everything is over. */
interface Model {
  calls: readonly number[];
  kept: readonly number[];
  counted: number;
}

/**
 * The second worker repeats what the first one did not record, and its call succeeds. What the first one records
 * late is kept and changes nothing. An answer on its way is recorded late too: a worker records its successes one
 * statement after the other, and one of them is held.
 */
function modelOf(point: Point, fault: Fault): Model {
  const recordsLate = fault === 'frozen' || fault === 'cut off from Temporal';
  switch (point) {
    case 'before the call':
    case 'after a success is recorded':
      return { calls: [1], kept: [1], counted: 1 };
    case 'after a failure is recorded':
      return { calls: [2], kept: [2], counted: 2 };
    case 'while the answer is on its way':
      // Once it has given up the held statement, a worker that runs may record before the second one calls.
      if (fault === 'cut off from Temporal') return { calls: [1, 2], kept: [1, 2], counted: 1 };
      return { calls: [2], kept: recordsLate ? [2] : [1], counted: 1 };
    default:
      return { calls: [2], kept: recordsLate ? keptLate(point, fault) : [1], counted: 1 };
  }
}

/** A worker that runs gives up a statement that is held for long. */
function keptLate(point: Point, fault: Fault): number[] {
  const mayGiveUp = fault !== 'frozen' && points[point].waits === 'statement';
  return mayGiveUp ? [1, 2] : [2];
}

/** Statements of an attempt: the first loads the delivery, the second records the attempt. */
const LOAD = 1;
const RECORD = 2;

/** Two workers start, and timeouts of Temporal pass, on a machine that may be busy. */
const WAIT_MS = 600_000;

/** Calls by path, the oldest first. The answer to the first call waits for the test unless the second worker makes it. */
const calls = new Map<string, ServerResponse[]>();
const answeredAtOnce = new Set<string>();
const workers: ChildProcess[] = [];
let paths = 0;

/** At which point of recording a success each fault comes, beside all the others. */
const rounds: [Fault, Point][] = [
  ['frozen', 'before a success is recorded'],
  ['frozen', 'after a success is recorded'],
  ['killed', 'before a success is recorded'],
  ['cut off from Temporal', 'before a success is recorded'],
  ['cut off from Postgres', 'after a success is recorded'],
];
const outcomes: PromiseSettledResult<void>[] = [];
const server = createServer((request, response) => {
  request.resume();
  const path = request.url ?? '';
  const earlier = calls.get(path) ?? [];
  calls.set(path, [...earlier, response]);
  if (earlier.length > 0 || answeredAtOnce.has(path)) response.end();
});
const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
// A round mostly waits for timeouts of Temporal, so all are played at once.
outcomes.push(...(await Promise.allSettled(rounds.map((round) => play(...round)))));
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL');
  server.closeAllConnections();
  server.close();
});

function startWorker(databaseUrl: string, { address, namespace }: TestNamespace): ChildProcess {
  const env = {
    PATH: '/usr/bin:/bin',
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: '11'.repeat(32),
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    WEBHOOK_ALLOW_PRIVATE: '1',
    WEBHOOK_RETRY_SECONDS: '1,1,1',
    // Longer than the test takes, so that no call ends by itself.
    WEBHOOK_TIMEOUT_SECONDS: '300',
    WORKER_OPS_PORT: '0',
    LOG_LEVEL: 'error',
    WORKFLOW_BUNDLE: fromSetup('TEST_WORKFLOWS'),
  };
  const worker = spawn(process.execPath, ['worker/worker.ts'], {
    env: withCompileCache(env),
    stdio: ['ignore', 'ignore', 'inherit'], // why one cannot start
  });
  workers.push(worker);
  return worker;
}

interface Case {
  store: TestStore;
  point: Point;
  path: string;
  endpoint: TestEndpoint;
  delivery: TestDelivery;
  reached: Promise<unknown>;
}

async function makeCase(store: TestStore, point: Point, database: HoldingProxy): Promise<Case> {
  const path = `/hooks/${(paths += 1)}`;
  const endpoint = await makeEndpoint(store, `${url}${path}`);
  const delivery = await makeDelivery(store, endpoint);
  const { eventId: text } = delivery;
  database.watch(text);
  if (points[point].waits === 'load') answeredAtOnce.add(path);
  return { store, point, path, endpoint, delivery, reached: holdAt(point, path, text, database) };
}

function holdAt(point: Point, path: string, text: string, database: HoldingProxy) {
  const { answer, waits } = points[point];
  const isCalled = () =>
    waitUntil(async () => firstCall(path), { what: `The call ${point}`, timeoutMs: WAIT_MS });
  switch (waits) {
    case 'load':
      return database.hold({ text, statement: LOAD, what: 'response' });
    case 'statement':
    case 'response': {
      const reached = database.hold({ text, statement: RECORD, what: waits });
      const responded = isCalled().then((response) => respond(response, answer));
      return Promise.all([reached, responded]);
    }
    default:
      return isCalled();
  }
}

function firstCall(path: string): ServerResponse {
  const [response] = calls.get(path) ?? [];
  if (!response) throw new Error('not yet');
  return response;
}

function respond(response: ServerResponse, answer: number | 'close'): void {
  if (answer === 'close') response.destroy();
  else response.writeHead(answer).end();
}

function respondTo(cases: readonly Case[], waits: string): void {
  for (const { point, path } of cases)
    if (points[point].waits === waits) respond(firstCall(path), points[point].answer);
}

interface Away {
  worker: ChildProcess;
  temporal: SwitchableProxy;
  database: HoldingProxy;
}

function bring(fault: Fault, { worker, temporal, database }: Away): void {
  if (fault === 'frozen') worker.kill('SIGSTOP');
  if (fault === 'killed') worker.kill('SIGKILL');
  if (fault === 'cut off from Temporal') temporal.turn('hanging');
  if (fault === 'cut off from Postgres') database.cut();
}

async function stateOf({ store, path, endpoint, delivery }: Case) {
  const { status, attempts: counted } = await deliveryRow(store, delivery);
  const kept = (await attemptRows(store, delivery)).length;
  const { failingSince } = await endpointRow(store, endpoint);
  return { status, calls: calls.get(path)?.length ?? 0, kept, counted, failingSince };
}

async function areAllDelivered(cases: readonly Case[]): Promise<void> {
  for (const each of cases)
    expect({ point: each.point, ...(await stateOf(each)) }).toMatchObject({
      point: each.point,
      status: 'delivered',
    });
}

async function areAsModelled(cases: readonly Case[], fault: Fault): Promise<void> {
  for (const each of cases) {
    const { point } = each;
    const { calls: possibleCalls, kept, counted } = modelOf(point, fault);
    const state = { point, ...(await stateOf(each)) };
    expect(state).toMatchObject({ point, status: 'delivered', failingSince: null, counted });
    expect([point, possibleCalls]).toEqual([point, expect.arrayContaining([state.calls])]);
    expect([point, kept]).toEqual([point, expect.arrayContaining([state.kept])]);
  }
}

/** With what the first worker had in hand when it was away; a process that ended has nothing. */
async function comeBack(fault: Fault, { worker, database }: Away, cases: readonly Case[]) {
  database.release();
  if (fault !== 'frozen' && fault !== 'cut off from Temporal') return;
  respondTo(cases, 'answer');
  worker.kill('SIGCONT');
  const areRecorded = () => areAsModelled(cases, fault);
  await waitUntil(areRecorded, { what: 'What is recorded late', timeoutMs: WAIT_MS });
  if (fault !== 'frozen') return;
  // It ends once it has finished what it had in hand, the delivery that it loaded before it froze among it.
  const ended = once(worker, 'exit');
  worker.kill('SIGTERM');
  await ended;
}

async function refreshAll({ client }: TestTemporal, cases: readonly Case[]): Promise<void> {
  for (const { delivery } of cases) await signalLead(client, delivery.leadId, 'recover');
  for (const { delivery } of cases)
    await waitUntil(() => leadRun(client, delivery.leadId).result(), { what: 'The end of a run' });
}

/** Each round has a database of its own: a worker's reconciler signals whatever is due in it. */
async function play(fault: Fault, pointOfSuccess: Point): Promise<void> {
  const store = await createTestStore();
  const temporal = await openTestTemporal();
  const { address, namespace } = temporal.target;
  const database = await startHoldingProxy(store.databaseUrl);
  const { url: proxiedUrl, proxy } = await proxied(`http://${address}`);
  const reachable = { address: new URL(proxiedUrl).host, namespace };
  const first: Away = { worker: startWorker(database.url, reachable), temporal: proxy, database };

  const others = Object.keys(points).filter((point) => !point.includes('success is recorded'));
  const cases: Case[] = [];
  // Successes are recorded one at a time, and deliveries loaded so: those that wait there come last.
  for (const point of [...others.slice(1), pointOfSuccess, 'before the call'] as Point[]) {
    const each = await makeCase(store, point, database);
    cases.push(each);
    await Promise.all([signalLead(temporal.client, each.delivery.leadId, 'recover'), each.reached]);
  }
  bring(fault, first);
  respondTo(cases, 'fault');
  // A worker that reaches Temporal keeps its call: nobody repeats it before it ends.
  if (fault === 'cut off from Postgres') respondTo(cases, 'answer');
  const second = startWorker(store.databaseUrl, temporal.target);
  const delivered = () => areAllDelivered(cases);
  await waitUntil(delivered, {
    what: 'The deliveries by the second worker',
    timeoutMs: WAIT_MS,
    abandon: () => (second.exitCode === null ? undefined : 'The second worker ended.'),
  });

  await comeBack(fault, first, cases);
  first.worker.kill('SIGKILL');
  await areAsModelled(cases, fault);
  await refreshAll(temporal, cases);
  await areAsModelled(cases, fault);

  second.kill('SIGKILL');
  await temporal.connection.close();
  await proxy.stop();
  await database.stop();
  await store.close();
}

describe('a worker that is away at any point of a call', () => {
  test.each(rounds.map(([fault, point], index) => ({ fault, point, index })))(
    '$fault, $point',
    ({ index }) => {
      expect(outcomes[index]).toEqual({ status: 'fulfilled', value: undefined });
    },
  );
});
