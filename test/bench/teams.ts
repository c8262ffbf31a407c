import process from 'node:process';
import { connectDatabase } from '../../store/db/database.ts';
import { startTestApi } from '../support/api.ts';
import { activateRules, makeAgents, makeSource, makeTeam } from '../support/routing.ts';
import { leadActivities } from '../support/worker.ts';
import { cpuMsOf, familyCpuMsOf } from './cpu.ts';
import { alternate } from './median.ts';

/** Figures of leads whose rules name one team, and of those whose rules name one of twenty each. */
export interface TeamsBench {
  oneTeam: TeamsFigures;
  twentyTeams: TeamsFigures;
}

export interface TeamsFigures {
  perSecond: number;
  /** CPU of this process and of Postgres for each lead. */
  nodeMs: number;
  postgresMs: number;
}

const TEAMS = 20;
const AGENTS = 10;
const LEADS = 600;
const ROUNDS = 3;
/** Activity slots of a worker. */
const AT_ONCE = 50;
const HTTP_AT_ONCE = 16;

/**
 * The routing of leads that arrived together, as a worker's activities do it, without Temporal, which would hide it. `url` is a migrated
 * database that nobody uses. A lead whose agents are locked comes back after the delay that the activity asks for.
 */
export async function benchTeams(url: string, postgresPid: number): Promise<TeamsBench> {
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
  const measure = async (teams: number): Promise<TeamsFigures> => {
    const ids = await create(teams);
    const before = [cpuMsOf(process.pid), familyCpuMsOf(postgresPid)] as const;
    const began = performance.now();
    await atOnce(AT_ONCE, ids.length, (n) => route(ids[n] ?? ''));
    const seconds = (performance.now() - began) / 1000;
    return {
      perSecond: ids.length / seconds,
      nodeMs: (cpuMsOf(process.pid) - before[0]) / ids.length,
      postgresMs: (familyCpuMsOf(postgresPid) - before[1]) / ids.length,
    };
  };
  const medians = await alternate(ROUNDS, [1, TEAMS], measure);
  const [oneTeam, twentyTeams] = medians as [TeamsFigures, TeamsFigures];
  await database.close();
  await api.stop();
  return { oneTeam, twentyTeams };
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
