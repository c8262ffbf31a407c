import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startTestApi, type TestClient } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';
import { forkServer, type Forked } from './create/forked.ts';
import { latencyOf, paced, printTable, type Latency, type Place } from './harness.ts';
import { openConnections, send } from './send.ts';

const SECONDS = 30;
const SETTLE_MS = 1000;
const TIMES = 3000;

/** What one client notices of another one, as ratios of its figures alone. */
export async function benchFair({ emptyUrl, copyOf }: Place): Promise<void> {
  const url = await copyOf(emptyUrl, 'bench_fair');
  const clients = await prepare(url);
  const service = await forkServer('service.ts', { DATABASE_URL: url });
  const [busy, other] = clients as [TestClient, TestClient];
  const burst = (client: TestClient, atOnce = 24, times = TIMES) =>
    createsOf(service, client, { atOnce, times });
  await burst(busy);
  const alone = await burst(busy);
  const besideReader = await whileRunning(
    () => burst(busy),
    (isOver) => everySecond(() => readList(service, other), isOver),
  );
  const together = await Promise.all([burst(busy), burst(other)]);
  const sum = together.reduce((total, { perSecond }) => total + perSecond, 0);
  const { url: creates } = service;
  const calmly = () => calmCreates(service, [other]);
  const calm = await calmly();
  const flood = { url: creates, token: busy.token };
  const besideFlood = await beside({ ...flood, atOnce: 256 }, calmly);
  const nineteen = clients.slice(1);
  const manyAlone = await calmCreates(service, nineteen);
  const manyBeside = await beside({ ...flood, atOnce: 520 }, () => calmCreates(service, nineteen));
  const tokens = new URL('/v2/oauth2/token', creates).href;
  const wrong = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'wrong' };
  const strangers = { token: 'made-up', atOnce: 300 };
  const tokenCallsMs = await beside({ ...strangers, url: tokens, body: wrong }, calmly);
  const madeUpMs = await beside({ ...strangers, url: creates }, calmly);
  await service.stop();
  const smallerShare = Math.min(...together.map(({ perSecond }) => perSecond)) / sum;
  const rows: [string, number][] = [
    ['creates a second of one client, 24 at once', alone.perSecond],
    ['… beside one read a second of another, × alone', besideReader.perSecond / alone.perSecond],
    ['two such clients together, × one alone', sum / alone.perSecond],
    ['smaller share of the two', smallerShare],
    ['p95 of one create a second, ms', calm],
    ['… beside 256 at once of another, × alone', besideFlood / calm],
    ['… beside 300 failing token calls at once, ms', tokenCallsMs],
    ['… beside 300 made-up tokens at once, ms', madeUpMs],
    ['p95 of nineteen clients beside one at its bound, × alone', manyBeside / manyAlone],
  ];
  const texts = rows.map(([what, value]) => [what, value.toFixed(2)]);
  printTable(['beside other clients', ''], texts);
}

async function prepare(url: string): Promise<TestClient[]> {
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  const clients: TestClient[] = [];
  for (let at = 0; at < 20; at += 1)
    clients.push(await api.addClient({ name: `Client ${at}`, dailyQuota: 10_000_000 }));
  await api.stop();
  return clients;
}

async function createsOf(
  { url }: Forked,
  { token }: TestClient,
  { atOnce, times }: { atOnce: number; times: number },
): Promise<Latency> {
  const agent = openConnections(atOnce);
  const message = () => ({ url, method: 'POST', body: nextBody() });
  const latency = await latencyOf(() => send(message(), { token, agent }), { times, atOnce });
  agent.destroy();
  return latency;
}

/** The 95th percentile of one create a second of each client, in milliseconds. */
async function calmCreates({ url }: Forked, clients: readonly TestClient[]): Promise<number> {
  const spans: number[] = [];
  const agent = openConnections();
  await paced(
    async (index) => {
      const { token } = clients[index % clients.length] as TestClient;
      const begun = performance.now();
      await send({ url, method: 'POST', body: nextBody() }, { token, agent });
      spans.push(performance.now() - begun);
    },
    { perSecond: clients.length, seconds: SECONDS },
  );
  agent.destroy();
  return spans.toSorted((a, b) => a - b)[Math.floor((spans.length - 1) * 0.95)] ?? 0;
}

/** What another process sends meanwhile, so that only the service is shared. */
export interface Busy {
  url: string;
  token: string;
  /** A create of its own each time, unless given. */
  body?: object;
  atOnce: number;
}

async function beside<T>(busy: Busy, work: () => Promise<T>): Promise<T> {
  const child = fork(fileURLToPath(new URL('fair/busy.ts', import.meta.url)), [
    JSON.stringify(busy),
  ]);
  await once(child, 'message');
  await sleep(SETTLE_MS);
  try {
    return await work();
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

async function whileRunning<T>(
  work: () => Promise<T>,
  beside: (isOver: () => boolean) => Promise<void>,
): Promise<T> {
  let isOver = false;
  const running = beside(() => isOver);
  try {
    return await work();
  } finally {
    isOver = true;
    await running;
  }
}

async function everySecond(work: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) await Promise.all([work(), sleep(1000)]);
}

async function readList({ url }: Forked, { token }: TestClient): Promise<void> {
  const agent = openConnections();
  const list = new URL(url);
  list.pathname = '/v2/public/project-statuses';
  await send({ url: list.href, method: 'GET' }, { token, agent });
  agent.destroy();
}

let sent = 0;

function nextBody(): Record<string, unknown> {
  sent += 1;
  return { leadPhones: [`+97150${1_000_000 + sent}`], source: 'Website' };
}
