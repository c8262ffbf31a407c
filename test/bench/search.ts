import { startTestApi } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';
import { familyCpuMsOf } from './cpu.ts';
import { forkServer } from './create/forked.ts';
import { latencyOf } from './latency.ts';
import { median } from './median.ts';
import { openConnections, postLead, send } from './send.ts';

export interface SearchBench {
  /** Of a statement that ranks every name that is similar to the term. */
  allRankedMs: number;
  /** Of a search of the service for the same terms. */
  serviceMs: number;
  /** Of creates of another client. */
  aloneP95Ms: number;
  besideP95Ms: number;
}

const ROUNDS = 5;
const AT_ONCE = 30;
const CREATES_ALONE = 150;

const INSERT_LOCATIONS = `
  insert into locations (id, key, name, level, path)
  select gen_random_uuid(), 'bench-' || i, 'Creek Heights ' || i, 'building', 'Creek Heights ' || i
  from generate_series(1, 30000) i`;

const ALL_RANKED = `
  select id, name, count(*) over () from locations
  where enabled and search_name %> $1
  order by similarity(search_name, $1) + word_similarity($1, search_name) desc, path, id limit 50`;

/**
 * Misspelt searches among 30,000 locations that are all alike: the processor time of Postgres for each, and
 * the creates of another client beside 30 of them at once. `url` is a migrated database that nobody uses.
 */
export async function benchSearch(url: string, postgresPid: number): Promise<SearchBench> {
  const { searcher, creator, allRankedMs } = await prepare(url, postgresPid);
  const service = await forkServer('service.ts', { DATABASE_URL: url });
  const [searches, creates] = [openConnections(), openConnections()];
  const post = () => postLead(service.url, { token: creator, agent: creates, body: nextBody() });
  const search = (term: string) => {
    const { href: url } = new URL(`/v2/public/locations/search?q=${term}`, service.url);
    return send({ url, method: 'GET' }, { token: searcher, agent: searches });
  };
  const rounds: Omit<SearchBench, 'allRankedMs'>[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = { times: CREATES_ALONE, atOnce: 1 };
    const alone = await latencyOf(post, one);
    const cpuBefore = familyCpuMsOf(postgresPid);
    await Promise.all(nextTerms().map(search));
    const serviceMs = (familyCpuMsOf(postgresPid) - cpuBefore) / AT_ONCE;
    const beside = await spansDuring(post, Promise.all(nextTerms().map(search)));
    rounds.push({ serviceMs, aloneP95Ms: alone.p95Ms, besideP95Ms: p95Of(beside) });
  }
  searches.destroy();
  creates.destroy();
  await service.stop();
  const figure = (name: keyof (typeof rounds)[number]) =>
    median(rounds.slice(1).map((round) => round[name]));
  return {
    allRankedMs,
    serviceMs: figure('serviceMs'),
    aloneP95Ms: figure('aloneP95Ms'),
    besideP95Ms: figure('besideP95Ms'),
  };
}

async function prepare(url: string, postgresPid: number) {
  const api = await startTestApi({ databaseUrl: url });
  await seedReference(api.database);
  await api.database.query(INSERT_LOCATIONS);
  await api.database.query('vacuum (analyze) locations');
  const terms = nextTerms().map(decodeURIComponent);
  const before = familyCpuMsOf(postgresPid);
  await api.database.transaction(async (sql) => {
    await sql.query(`select set_config('pg_trgm.word_similarity_threshold', '0.5', true)`);
    for (const term of terms) await sql.query(ALL_RANKED, [term]);
  });
  const allRankedMs = (familyCpuMsOf(postgresPid) - before) / terms.length;
  const [creator, searcher] = [api.client.token, (await api.addClient()).token];
  await api.stop();
  return { creator, searcher, allRankedMs };
}

/** The times of `work`, one after the other as long as `others` are under way. */
async function spansDuring(work: () => Promise<void>, others: Promise<unknown>): Promise<number[]> {
  const spans: number[] = [];
  let isOver = false;
  const end = others.finally(() => (isOver = true));
  while (!isOver) {
    const begun = performance.now();
    await work();
    spans.push(performance.now() - begun);
  }
  await end;
  return spans;
}

const p95Of = (spans: readonly number[]) =>
  spans.toSorted((a, b) => a - b)[Math.floor((spans.length - 1) * 0.95)] ?? NaN;

let [searched, sent] = [1000, 0];

/** Two letters swapped, and each with a number of its own. */
function nextTerms(): string[] {
  return Array.from({ length: AT_ONCE }, () =>
    encodeURIComponent(`creek hieghts ${(searched += 7)}`),
  );
}

function nextBody(): Record<string, unknown> {
  sent += 1;
  return { leadPhones: [`+97150${2_000_000 + sent}`], leadFirstName: 'عائشة', source: 'Website' };
}
