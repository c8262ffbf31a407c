import { familyCpuMsOf, cpuMsOf } from './cpu.ts';
import { CHECKOUT, forkServer, type Forked } from './create/forked.ts';
import { latencyOf, type Latency } from './latency.ts';
import { alternate } from './median.ts';
import { openConnections, postLead } from './send.ts';

/** Times and processor time of one create. */
export interface CreateFigures extends Latency {
  nodeMs: number;
  postgresMs: number;
}

export interface CreateBench {
  atOnce: number;
  /** Who send them in turn. */
  clients: number;
  floor: CreateFigures;
  service: CreateFigures;
  previous?: CreateFigures | undefined;
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

interface Servers {
  empty: () => Promise<string>;
  postgresPid: number;
  previous?: string | undefined;
}

/**
 * A create over HTTP beside a floor that does the least that a create needs: plain statements in one
 * durable transaction behind bare node:http, on the same Postgres. The rounds of all sides alternate; the
 * medians count. `previous` is a checkout of an earlier release; `empty` makes an empty database.
 */
export async function benchCreate({
  empty,
  postgresPid,
  previous,
}: Servers): Promise<CreateBench[]> {
  const sides = [await startSide('floor.ts', empty), await startSide('service.ts', empty)];
  if (previous) sides.push(await startSide('service.ts', empty, previous));
  const results: CreateBench[] = [];
  for (const { atOnce, clients, times } of LOADS) {
    const load = { atOnce, clients, times, postgresPid };
    const medians = await alternate(ROUNDS, sides, (side) => measure(side, load));
    const [floor, service, earlier] = medians as [CreateFigures, CreateFigures, CreateFigures?];
    results.push({ atOnce, clients, floor, service, previous: earlier });
  }
  for (const side of sides) await side.stop();
  return results;
}

async function startSide(
  entry: 'floor.ts' | 'service.ts',
  empty: Servers['empty'],
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
  const before = [cpuMsOf(pid), familyCpuMsOf(postgresPid)] as const;
  const latency = await latencyOf(post, { times, atOnce });
  agent.destroy();
  return {
    ...latency,
    nodeMs: (cpuMsOf(pid) - before[0]) / times,
    postgresMs: (familyCpuMsOf(postgresPid) - before[1]) / times,
  };
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
