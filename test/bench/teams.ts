import process from 'node:process';
import { connectDatabase } from '../../store/db/database.ts';
import { startTestApi } from '../support/api.ts';
import { activateRules, makeAgents, makeSource, makeTeam } from '../support/routing.ts';
import { leadActivities } from '../support/worker.ts';
import { startCpu } from './cpu.ts';
import { alternate, print, printTable, type Place } from './harness.ts';

const TEAMS = 20;
const AGENTS = 10;
const LEADS = 600;
const ROUNDS = 3;
/** Activity slots of a worker. */
const AT_ONCE = 50;
const HTTP_AT_ONCE = 16;

/**
 * The routing of leads that arrived together, as a worker's activities do it, without Temporal, which would hide it.
 * A lead whose agents are locked comes back after the delay that the activity asks for.
 */
export async function benchTeams({ emptyUrl, copyOf, postgresPid }: Place): Promise<void> {
  const url = await copyOf(emptyUrl, 'bench_teams');
  const api = await startTestApi({ databaseUrl: url });
  const sources: string[] = [];
  const rules: object[] = [];
  for (let n = 0; n < TEAMS; n += 1) {
    const agents = await makeAgents(api.database, AGENTS, { daily_cap: 1_000_000 });
    const teamId = await makeTeam(api.database, agents);
    const name = `Source ${n}`;
    const source = await makeSource(api.database, name);
    sources.push(name);
    rules.push({
      when: [[{ field: 'source', op: 'in', values: [source] }]],
      target: { kind: 'team', teamId },
    });
  }
  await activateRules(api.database, rules);
  const database = await connectDatabase({ url, poolSize: 12 });
  const { routeLead } = leadActivities(api);
  let people = 0;
  const create = async (teams: number) => {
    const ids: string[] = [];
    await atOnce(HTTP_AT_ONCE, LEADS, async (n) => {
      people += 1;
      const leadPhones = [`+97150${2_000_000 + people}`];
      ids.push((await api.create({ leadPhones, source: sources[n % teams] })).id);
    });
    return ids;
  };
  const route = async (leadId: string): Promise<void> => {
    try {
      await routeLead({ leadId });
    } catch (error) {
      const { nextRetryDelay } = error as { nextRetryDelay?: number };
      if (nextRetryDelay === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, nextRetryDelay));
      await route(leadId);
    }
  };
  const measure = async (teams: number) => {
    const ids = await create(teams);
    const cpu = startCpu(process.pid, postgresPid);
    const began = performance.now();
    await atOnce(AT_ONCE, ids.length, (n) => route(ids[n] ?? ''));
    const seconds = (performance.now() - began) / 1000;
    return { perSecond: ids.length / seconds, ...cpu(ids.length) };
  };
  const medians = await alternate(ROUNDS, [1, TEAMS], measure);
  await database.close();
  await api.stop();
  const rows = medians.map(({ perSecond, nodeMs, postgresMs }, index) => [
    ['one team', 'twenty teams'][index] ?? '',
    perSecond.toFixed(0),
    ...[nodeMs, postgresMs, nodeMs + postgresMs].map((ms) => ms.toFixed(2)),
  ]);
  printTable(['routed at once', 'leads per s', 'Node ms', 'Postgres ms', 'CPU ms'], rows);
  const [one = NaN, twenty = NaN] = medians.map(({ perSecond }) => perSecond);
  print(`one team ÷ twenty: ${(one / twenty).toFixed(2)}`);
}

async function atOnce(width: number, times: number, work: (n: number) => Promise<void>) {
  let next = 0;
  const lane = async () => {
    while (next < times) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}
