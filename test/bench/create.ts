import { startTestApi } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';
import { familyCpuMsOf, cpuMsOf } from './cpu.ts';
import { forkServer, type Forked } from './create/forked.ts';
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

/**
 * A create over HTTP beside a floor that does the least that a create needs: plain statements in one
 * durable transaction behind bare node:http, on the same Postgres. The rounds of both alternate; the
 * medians count. `url` is a migrated database that nobody uses; `copy` makes another one of it.
 */
export async function benchCreate(
  url: string,
  { copy, postgresPid }: { copy: (name: string) => Promise<string>; postgresPid: number },
): Promise<CreateBench[]> {
  const tokens = await prepare(url);
  const start = async (entry: Parameters<typeof forkServer>[0], name: string): Promise<Side> => ({
    ...(await forkServer(entry, { DATABASE_URL: await copy(name) })),
    tokens,
  });
  const sides = [
    await start('floor.ts', 'bench_floor'),
    await start('service.ts', 'bench_service'),
  ];
  const results: CreateBench[] = [];
  for (const { atOnce, clients, times } of LOADS) {
    const load = { atOnce, clients, times, postgresPid };
    const medians = await alternate(ROUNDS, sides, (side) => measure(side, load));
    const [floor, service] = medians as [CreateFigures, CreateFigures];
    results.push({ atOnce, clients, floor, service });
  }
  for (const side of sides) await side.stop();
  return results;
}

async function prepare(url: string): Promise<string[]> {
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  const tokens = [api.client.token];
  while (tokens.length < 10) tokens.push((await api.addClient()).token);
  await api.stop();
  return tokens;
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
