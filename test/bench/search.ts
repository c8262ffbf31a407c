import { startTestApi } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';
import { familyCpuMsOf } from './cpu.ts';
import { forkServer } from './create/forked.ts';
import { latencyOf } from './latency.ts';
import { medianOfRounds } from './median.ts';
import { openConnections, send, type Message } from './send.ts';

export interface SearchBench {
  /** The time of a statement that ranks every name that is similar to the term. */
  allRankedMs: number;
  /** The time of a search of the service for the same terms. */
  serviceMs: number;
  /** Figures of creates of another client, by what the first one does meanwhile. */
  beside: (BesideFigures & { load: string })[];
}

interface BesideFigures {
  aloneP95Ms: number;
  besideP95Ms: number;
  /** Responses to the first client. */
  loadPerSecond: number;
}

const ROUNDS = 5;
const SEARCHES = 30;
const CREATES = 150;
/** As many as the service takes of one client. */
const BOUND = 256;
const LOCATIONS = 30_000;

const INSERT_LOCATIONS = `
  insert into locations (id, key, name, level, path)
  select gen_random_uuid(), 'bench-' || i, 'Creek Heights ' || i, 'building', 'Creek Heights ' || i
  from generate_series(1, ${LOCATIONS}) i`;

const ALL_RANKED = `
  select id, name, count(*) over () from locations
  where enabled and search_name %> $1
  order by similarity(search_name, $1) + word_similarity($1, search_name) desc, path, id limit 50`;

const create = (): Message => ({ method: 'POST', url: 'leads', body: nextBody() });
const read = (): Message => ({ method: 'GET', url: `locations?offset=${next() % LOCATIONS}` });
const search = (): Message => ({ method: 'GET', url: `locations/search?q=${nextTerm()}` });

const LOADS: Record<string, { atOnce: number; message: () => Message }> = {
  'misspelt searches': { atOnce: SEARCHES, message: search },
  creates: { atOnce: BOUND, message: create },
  'pages of locations': { atOnce: BOUND, message: read },
  'misspelt searches at the bound': { atOnce: BOUND, message: search },
};

/**
 * Misspelt searches among 30,000 locations that are all alike: the processor time of Postgres for each. Then
 * the creates of one client, one after the other, alone and beside another client that always has so many
 * requests under way. `url` is a migrated database that nobody uses.
 */
export async function benchSearch(url: string, postgresPid: number): Promise<SearchBench> {
  const { busy, creator, allRankedMs } = await prepare(url, postgresPid);
  const service = await forkServer('service.ts', { DATABASE_URL: url });
  const agent = openConnections(BOUND + 1);
  // A misspelt search that has 255 before it may wait for longer than the service lets it.
  const ask = (message: Message, token: string) =>
    send(
      { ...message, url: service.url.replace('leads', message.url) },
      { token, agent, orBusy: token === busy },
    );
  const creates = () => latencyOf(() => ask(create(), creator), { times: CREATES, atOnce: 1 });
  await creates();
  const cpuBefore = familyCpuMsOf(postgresPid);
  await Promise.all(Array.from({ length: SEARCHES }, () => ask(search(), busy)));
  const serviceMs = (familyCpuMsOf(postgresPid) - cpuBefore) / SEARCHES;
  const beside: SearchBench['beside'] = [];
  for (const [load, { atOnce, message }] of Object.entries(LOADS)) {
    const rounds: BesideFigures[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const alone = await creates();
      const begun = performance.now();
      const stop = keepBusy(() => ask(message(), busy), atOnce);
      const { p95Ms } = await creates();
      const answered = await stop();
      const loadPerSecond = answered / ((performance.now() - begun) / 1000);
      rounds.push({ aloneP95Ms: alone.p95Ms, besideP95Ms: p95Ms, loadPerSecond });
    }
    beside.push({ load: `${atOnce} ${load}`, ...medianOfRounds(rounds.slice(1)) });
  }
  agent.destroy();
  await service.stop();
  return { allRankedMs, serviceMs, beside };
}

/** Has `atOnce` of `work` under way until stopped; returns how many ended. */
function keepBusy(work: () => Promise<void>, atOnce: number): () => Promise<number> {
  let isOver = false;
  let ended = 0;
  async function worker(): Promise<void> {
    while (!isOver) {
      await work();
      ended += 1;
    }
  }
  const all = Promise.all(Array.from({ length: atOnce }, worker));
  return async () => {
    isOver = true;
    await all;
    return ended;
  };
}

async function prepare(url: string, postgresPid: number) {
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  await api.database.query(INSERT_LOCATIONS);
  await api.database.query('vacuum (analyze) locations');
  const terms = Array.from({ length: SEARCHES }, () => decodeURIComponent(nextTerm()));
  const before = familyCpuMsOf(postgresPid);
  await api.database.transaction(async (sql) => {
    await sql.query(`select set_config('pg_trgm.word_similarity_threshold', '0.5', true)`);
    for (const term of terms) await sql.query(ALL_RANKED, [term]);
  });
  const allRankedMs = (familyCpuMsOf(postgresPid) - before) / terms.length;
  const [creator, busy] = [api.client.token, (await api.addClient({ dailyQuota: 1e9 })).token];
  await api.stop();
  return { creator, busy, allRankedMs };
}

let sent = 1000;
const next = () => (sent += 7);

/** Two letters swapped, and each with a number of its own. */
function nextTerm(): string {
  return encodeURIComponent(`creek hieghts ${next()}`);
}

function nextBody(): Record<string, unknown> {
  return { leadPhones: [`+97150${2_000_000 + next()}`], leadFirstName: 'عائشة', source: 'Website' };
}
