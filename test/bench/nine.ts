import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { activateRules, makeAgents, makePool, makeSource, makeTeam } from '../support/routing.ts';
import type { TestApi } from '../support/api.ts';
import { paced, print, printTable, type Place } from './harness.ts';
import { fillDatabase, type Agency } from './lifecycle/agency.ts';
import {
  openDatabase,
  prepareSetup,
  startRoundTemporal,
  startServiceApi,
  startServiceWorker,
} from './lifecycle/setup.ts';
import { stopAfterwards } from './lifecycle/stoppable.ts';
import { openConnections, postLead } from './send.ts';

const AGENTS = 20;
/** At which leads are created that begin to wait. */
const PREPARED_PER_SECOND = 18;
const OTHERS = { perSecond: 5, seconds: 40 };
const MINUTE_MS = 60_000;

/**
 * Leads that wait for twenty agents whose hours begin at one minute, and others that another team takes meanwhile.
 * `BENCH_WAITING` is the number of those that wait.
 */
export function benchNine(place: Place): Promise<void> {
  const waiting = Number(place.env['BENCH_WAITING'] ?? 1000);
  return stopAfterwards(async (keep) => {
    const setup = await prepareSetup(keep, place);
    const round = `nine_${waiting}`;
    const databaseUrl = await setup.copyOf(setup.emptyUrl, `bench_${round}`);
    const preparationMs = (waiting / PREPARED_PER_SECOND) * 1000 + OTHERS.seconds * 1000;
    const dueAtMs = Math.ceil((Date.now() + preparationMs + MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
    const { agency } = await fillDatabase(databaseUrl, setup.receiverUrl, async (api) => {
      await makeNight(api, new Date(dueAtMs));
      return {};
    });
    const { address: temporalAddress } = await keep(startRoundTemporal(setup, round));
    const common = { folder: setup.folder, round, agency, databaseUrl, temporalAddress };
    await keep(startServiceWorker(common));
    const api = await keep(startServiceApi(common));
    const database = await openDatabase(keep, databaseUrl);
    await measure(api.url, database, agency, { waiting, dueAtMs });
  });
}

/** Leads of the source Night wait for agents whose hours begin at `due`; all others go to the agency's own team. */
async function makeNight({ database }: TestApi, due: Date): Promise<void> {
  const [from, to] = [0, 12 * 60].map((minutes) =>
    new Date(due.getTime() + minutes * MINUTE_MS).toISOString().slice(11, 16),
  );
  const hours = { time_zone: 'UTC', working_hours: { 'mon-sun': `${from}-${to}` } };
  const members = await makeAgents(database, AGENTS, hours);
  const others = await makeAgents(database, AGENTS);
  const source = await makeSource(database, 'Night');
  const then = { kind: 'pool', poolId: await makePool(database) };
  const followUp = { minutes: 0 };
  await activateRules(database, [
    {
      when: [[{ field: 'source', op: 'in', values: [source] }]],
      target: { kind: 'team', teamId: await makeTeam(database, members) },
      gates: { availability: 'working_hours' },
      onExhausted: { kind: 'wait', atMostMinutes: 1440, then },
      followUp,
    },
    { target: { kind: 'team', teamId: await makeTeam(database, others) }, followUp },
  ]);
}

async function measure(
  apiUrl: string,
  database: pg.Client,
  { client }: Agency,
  { waiting, dueAtMs }: { waiting: number; dueAtMs: number },
) {
  const agent = openConnections();
  let person = 0;
  const post = (body: object) =>
    postLead(`${apiUrl}/public/leads`, {
      token: client.token,
      agent,
      body: { leadPhones: [`+97150${1_000_000 + (person += 1)}`], ...body },
    });
  const seconds = waiting / PREPARED_PER_SECOND;
  await paced(() => post({ source: 'Night' }), { perSecond: PREPARED_PER_SECOND, seconds });
  await becomes(database, WAITING_SQL, (count) => count >= Math.floor(waiting * 0.999));
  const aloneSince = new Date();
  await paced(() => post({}), { ...OTHERS, seconds: 15 });
  const alone = await readDelays(database, aloneSince, new Date());
  if (Date.now() > dueAtMs - 3000) throw new Error('The leads were not ready in time.');
  await sleep(dueAtMs - 2000 - Date.now());
  const watch = watchTransactions(database);
  const since = new Date();
  await paced(() => post({}), OTHERS);
  await becomes(database, WAITING_SQL, (count) => count === 0);
  const longestTransactionMs = await watch.stop();
  await becomes(database, UNDELIVERED_SQL, (count) => count === 0);
  const until = new Date(since.getTime() + OTHERS.seconds * 1000);
  const delays = { alone, beside: await readDelays(database, since, until) };
  const rows = Object.entries(delays).map(([name, spans]) => [
    name,
    ...spans.map((ms) => ms.toFixed(0)),
  ]);
  printTable([`another lead's owner, ${waiting} due at one minute`, 'p50 ms', 'p95', 'max'], rows);
  // From the minute at which they were due.
  const placed = await database.query(PLACED_SQL, [new Date(dueAtMs)]);
  const rate = `${(waiting / Number(placed.rows[0].seconds)).toFixed(1)} placed per s`;
  const longest = `longest transaction ${longestTransactionMs.toFixed(0)} ms`;
  print(`${rate}, ${longest}, ${await count(database, TWICE_SQL)} webhooks called twice`);
}

const WAITING_SQL = `select count(*)::int as count from waiting_leads`;
const UNDELIVERED_SQL = `select count(*)::int as count from webhook_deliveries where status <> 'delivered'`;
const TWICE_SQL = `select count(*)::int as count from (
  select from webhook_attempts group by event_id, endpoint_id having count(*) > 1) twice`;
const PLACED_SQL = `
select extract(epoch from max(a.decided_at) - $1)::float8 as seconds
from assignments a join lead_waits w on w.lead_id = a.lead_id`;
const DELAYS_SQL = `
select percentile_cont(array[0.5, 0.95, 1]) within group (order by extract(epoch from coalesce(a.decided_at, now()) - l.created_at) * 1000) as ms
from leads l left join assignments a on a.lead_id = l.id
where l.source_id is null and l.created_at between $1 and $2`;
const TRANSACTION_SQL = `
select coalesce(max(extract(epoch from clock_timestamp() - xact_start) * 1000), 0)::float8 as ms
from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

async function count(database: pg.Client, sql: string): Promise<number> {
  return (await database.query(sql)).rows[0].count;
}

async function becomes(database: pg.Client, sql: string, isReached: (count: number) => boolean) {
  while (!isReached(await count(database, sql))) await sleep(200);
}

/** The median, the 95th percentile and the longest delay of other leads from their creation to their owner. */
async function readDelays(database: pg.Client, since: Date, until: Date): Promise<number[]> {
  const { rows } = await database.query<{ ms: number[] }>(DELAYS_SQL, [since, until]);
  return rows[0]?.ms ?? [];
}

/** The longest that any transaction was open, seen fifty times a second. */
function watchTransactions(database: pg.Client) {
  let longestMs = 0;
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      longestMs = Math.max(longestMs, (await database.query(TRANSACTION_SQL)).rows[0].ms);
      await sleep(20);
    }
  })();
  return {
    async stop(): Promise<number> {
      isStopped = true;
      await watching;
      return longestMs;
    },
  };
}
