import { createLeadActivities } from '../../activities/leads/lead-activities.ts';
import { connectDatabase } from '../../store/db/database.ts';
import { startTestApi } from '../support/api.ts';
import { activateRules, makeAgent, makeSource, makeTeam } from '../support/routing.ts';
import { testActivityContext } from '../support/worker.ts';

export interface TeamsBench {
  /** Leads a second whose rules name one team, and those of which each names one of twenty. */
  oneTeam: number;
  twentyTeams: number;
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
export async function benchTeams(url: string): Promise<TeamsBench> {
  const api = await startTestApi({ databaseUrl: url });
  const sources: string[] = [];
  const rules: object[] = [];
  for (let n = 0; n < TEAMS; n += 1) {
    const agents = [];
    for (let each = 0; each < AGENTS; each += 1)
      agents.push({ agent: await makeAgent(api.database, { daily_cap: 1_000_000 }) });
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
  const { routeLead } = createLeadActivities(testActivityContext(database, api.config));
  let people = 0;
  const create = async (teams: number) => {
    const ids: string[] = [];
    await atOnce(HTTP_AT_ONCE, LEADS, async (n) => {
      people += 1;
      const { body } = await api.call('POST', '/public/leads', {
        body: { leadPhones: [`+97150${2_000_000 + people}`], source: sources[n % teams] },
      });
      ids.push(String(body.id));
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
  const perSecond = async (teams: number) => {
    const ids = await create(teams);
    const began = performance.now();
    await atOnce(AT_ONCE, ids.length, (n) => route(ids[n] ?? ''));
    return ids.length / ((performance.now() - began) / 1000);
  };
  const rounds: (readonly [number, number])[] = [];
  for (let round = 0; round <= ROUNDS; round += 1)
    rounds.push([await perSecond(1), await perSecond(TEAMS)] as const);
  await database.close();
  await api.stop();
  const median = (place: 0 | 1) =>
    rounds
      .slice(1)
      .map((each) => each[place])
      .toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? NaN;
  return { oneTeam: median(0), twentyTeams: median(1) };
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
