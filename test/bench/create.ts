import { withDatabase } from '../support/database.ts';
import { startCpu } from './cpu.ts';
import { CHECKOUT, forkServer, type Forked } from './create/forked.ts';
import { alternate, latencyOf, printTable, type Latency, type Place } from './harness.ts';
import { openConnections, postLead } from './send.ts';

/** Times and processor time of one create. */
export interface CreateFigures extends Latency {
  nodeMs: number;
  postgresMs: number;
}

const ROUNDS = 5;
const LOADS = [
  { atOnce: 1, clients: 1, times: 150 },
  { atOnce: 16, clients: 1, times: 600 },
  { atOnce: 64, clients: 1, times: 1000 },
  { atOnce: 64, clients: 10, times: 1000 },
];
const WARM_UP = 100;

interface Side extends Forked {
  tokens: readonly string[];
}

/** The name of each side, in the order in which they are measured. */
const NAMES = ['floor', 'this service', 'previous release'];
const HEAD = ['p50 ms', 'p99 ms', 'per s', 'Node ms', 'Postgres ms', 'CPU ms'];

/**
 * A create over HTTP beside a floor that does the least that a create needs: plain statements in one
 * durable transaction behind bare node:http, on the same Postgres. The rounds of all sides alternate; the
 * medians count. `BENCH_PREVIOUS` is a checkout of an earlier release to compare with.
 */
export async function benchCreate({ emptyUrl, postgresPid, copyOf, env }: Place): Promise<void> {
  let databases = 0;
  const empty = () => copyOf(withDatabase(emptyUrl, 'template1'), `bench_create${databases++}`);
  const sides = [await startSide('floor.ts', empty), await startSide('service.ts', empty)];
  const previous = env['BENCH_PREVIOUS'];
  if (previous) sides.push(await startSide('service.ts', empty, previous));
  const rows: string[][] = [];
  for (const { atOnce, clients, times } of LOADS) {
    const load = { atOnce, clients, times, postgresPid };
    const medians = await alternate(ROUNDS, sides, (side) => measure(side, load));
    for (const [name = '', ...figures] of rowsOf(medians))
      rows.push([name, String(atOnce), String(clients), ...figures]);
  }
  for (const side of sides) await side.stop();
  printTable(['create', 'at once', 'clients', ...HEAD], rows);
}

/** The figures of each side; behind those of a release, how many times the floor's they are. */
function rowsOf(medians: readonly CreateFigures[]): string[][] {
  const [floor = [], ...releases] = medians.map(
    ({ p50Ms, p99Ms, perSecond, nodeMs, postgresMs }) =>
      [p50Ms, p99Ms, perSecond, nodeMs, postgresMs, nodeMs + postgresMs] as const,
  );
  const textsOf = (name = '', values: readonly number[]) => [
    name,
    ...values.map((value) => value.toFixed(2)),
  ];
  return [
    textsOf(NAMES[0], floor),
    ...releases.flatMap((values, index) => [
      textsOf(NAMES[index + 1], values),
      textsOf(
        '×',
        values.map((value, at) => value / (floor[at] ?? NaN)),
      ),
    ]),
  ];
}

async function startSide(
  entry: 'floor.ts' | 'service.ts',
  empty: () => Promise<string>,
  checkout = CHECKOUT,
): Promise<Side> {
  const DATABASE_URL = await empty();
  const prepared = await forkServer('prepare.ts', { DATABASE_URL, CHECKOUT: checkout });
  const server = await forkServer(entry, { DATABASE_URL }, checkout);
  return { ...server, tokens: prepared.url.split(' ') };
}

async function measure(
  { url, tokens, pid }: Side,
  options: { atOnce: number; clients: number; times: number; postgresPid: number },
): Promise<CreateFigures> {
  const { atOnce, clients, times, postgresPid } = options;
  const agent = openConnections();
  const post = async (index: number) =>
    postLead(url, { token: tokens[index % clients] ?? '', agent, body: nextBody() });
  await latencyOf(post, { times: Math.min(WARM_UP, times), atOnce });
  const cpu = startCpu(pid, postgresPid);
  const latency = await latencyOf(post, { times, atOnce });
  agent.destroy();
  return { ...latency, ...cpu(times) };
}

let sent = 0;

function nextBody(): Record<string, unknown> {
  sent += 1;
  return {
    leadPhones: [`+97150${1_000_000 + sent}`],
    leadEmails: [`person${sent}@mail.example`],
    leadFirstName: 'عائشة',
    source: 'Website',
    utmSource: 'google',
    utmCampaign: 'spring',
    initialInquiry: 'Two bedrooms with a sea view, please.',
  };
}
