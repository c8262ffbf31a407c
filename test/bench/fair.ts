import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApi, type TestClient } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';
import { forkServer, type Forked } from './create/forked.ts';
import { latencyOf, type Latency } from './latency.ts';
import { paced } from './lifecycle/paced.ts';
import { openConnections, send } from './send.ts';

/** What one client notices of another one, as ratios of its figures alone. */
export interface FairBench {
  /** Creates a second of a client, alone. */
  alonePerSecond: number;
  /** … beside one that reads a small list once a second. */
  besideReader: number;
  /** Creates a second of two clients together, and the smaller share of the two. */
  twoClients: number;
  smallerShare: number;
  /** A create a second: its 95th percentile alone, in milliseconds, and beside 256 at once of another client. */
  calmP95Ms: number;
  besideFlood: number;
  /** Nineteen clients of a create a second, beside one at its bound. */
  nineteenP95: number;
}

const SECONDS = 30;
const TIMES = 3000;

/** `url` is a migrated database that nobody uses. */
export async function benchFair(url: string): Promise<FairBench> {
  const clients = await prepare(url);
  const service = await forkServer('service.ts', { DATABASE_URL: url });
  const [busy, other] = clients as [TestClient, TestClient];
  const burst = (client: TestClient, atOnce = 24, times = TIMES) =>
    createsOf(service, client, { atOnce, times });
  await burst(busy);
  const alone = await burst(busy);
  const beside = await whileRunning(
    () => burst(busy),
    (isOver) => everySecond(() => readList(service, other), isOver),
  );
  const together = await Promise.all([burst(busy), burst(other)]);
  const sum = together.reduce((total, { perSecond }) => total + perSecond, 0);
  const calm = await calmCreates(service, [other]);
  const besideFlood = await besideBusy(service, busy, { atOnce: 256 }, () =>
    calmCreates(service, [other]),
  );
  const nineteen = clients.slice(1);
  const manyAlone = await calmCreates(service, nineteen);
  const manyBeside = await besideBusy(service, busy, { atOnce: 520 }, () =>
    calmCreates(service, nineteen),
  );
  await service.stop();
  return {
    alonePerSecond: alone.perSecond,
    besideReader: beside.perSecond / alone.perSecond,
    twoClients: sum / alone.perSecond,
    smallerShare: Math.min(...together.map(({ perSecond }) => perSecond)) / sum,
    calmP95Ms: calm,
    besideFlood: besideFlood / calm,
    nineteenP95: manyBeside / manyAlone,
  };
}

async function prepare(url: string): Promise<TestClient[]> {
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  const clients: TestClient[] = [];
  for (let at = 0; at < 20; at += 1) clients.push(await api.addClient({ name: `Client ${at}` }));
  await api.stop();
  return clients;
}

async function createsOf(
  { url }: Forked,
  { token }: TestClient,
  { atOnce, times, orBusy = false }: { atOnce: number; times: number; orBusy?: boolean },
): Promise<Latency> {
  const agent = openConnections(atOnce);
  const message = () => ({ url, method: 'POST', body: nextBody() });
  const latency = await latencyOf(() => send(message(), { token, agent, orBusy }), {
    times,
    atOnce,
  });
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

function besideBusy<T>(
  service: Forked,
  client: TestClient,
  { atOnce }: { atOnce: number },
  work: () => Promise<T>,
): Promise<T> {
  return whileRunning(work, async (isOver) => {
    while (!isOver()) await createsOf(service, client, { atOnce, times: 4 * atOnce, orBusy: true });
  });
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
