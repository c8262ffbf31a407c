import { randomUUID } from 'node:crypto';
import { createLeadActivities } from '../../../../activities/leads/lead-activities.ts';
import {
  buildAgentView,
  leadEventTypes,
  type AgentView,
} from '../../../../domain/webhooks/event-payloads.ts';
import type { Database } from '../../../../store/db/database.ts';
import { readAgent } from '../../../../store/routing/agents.ts';
import { startIntake, type TestApi } from '../../../support/api.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../../support/routing.ts';
import { testActivityContext } from '../../../support/worker.ts';
import { zoneAtNoon } from '../../../support/working-time.ts';

/** Where the rules leave a lead, and what they do when nobody responds. */
export interface Terms {
  to: 'agent' | 'pool' | 'nobody' | 'wait';
  onExpiry: 'note' | 'reassign' | 'pool';
}

export type Stage = Awaited<ReturnType<typeof prepareStage>>;

/** An operator may take a walk's lead from one and give it to the next. */
const TEAM_SIZE = 3;

/** Also an endpoint for every event of a lead, and a team of which nobody is free today. */
export async function prepareStage() {
  const api = await startIntake();
  const { database, config } = api;
  const agents = await Promise.all(
    Array.from({ length: TEAM_SIZE }, () => makeAgentView(database)),
  );
  const pools = [await makePool(database, 'North'), await makePool(database, 'South')];
  const teamId = await makeTeam(database, agents);
  const busyAgent = await makeAgent(database, { daily_cap: 1, time_zone: zoneAtNoon() });
  const busyTeamId = await makeTeam(database, [busyAgent]);
  await addEndpoint(api);
  const activitiesAt = (at?: Date) =>
    createLeadActivities(testActivityContext(database, config, () => at ?? new Date()));
  await activateRules(database, [{ target: { kind: 'team', teamId: busyTeamId } }]);
  await activitiesAt().routeLead({ leadId: (await api.create()).id });
  const [poolId = ''] = pools;
  return {
    api,
    agents,
    pools,
    activitiesAt,
    async activateRule(terms: Terms) {
      await activateRules(database, [ruleTo(terms, { teamId, busyTeamId, poolId })]);
    },
  };
}

async function makeAgentView(database: Database): Promise<AgentView> {
  const { id } = await makeAgent(database);
  const agent = await readAgent(database, id);
  if (!agent) throw new Error('The agent was not made.');
  return buildAgentView(agent);
}

export async function addEndpoint({ database, client }: TestApi): Promise<void> {
  await database.query(
    `insert into webhook_endpoints (id, client_id, url, events, secret_sealed, created_at)
     values ($1, $2, 'https://shop.example/hook', $3, '', now())`,
    [randomUUID(), client.id, leadEventTypes],
  );
}

function ruleTo(
  { to, onExpiry }: Terms,
  { teamId, busyTeamId, poolId }: { teamId: string; busyTeamId: string; poolId: string },
): object {
  const pool = { kind: 'pool', poolId };
  const followUp = { minutes: 5, onExpiry, ...(onExpiry === 'pool' && { poolId }) };
  switch (to) {
    case 'agent':
      return { target: { kind: 'team', teamId }, followUp };
    case 'pool':
      return { target: pool };
    case 'nobody':
      return { target: pool, when: [[{ field: 'client', op: 'in', values: ['nobody'] }]] };
    case 'wait':
      return {
        target: { kind: 'team', teamId: busyTeamId },
        onExhausted: { kind: 'wait', atMostMinutes: 1500, then: pool },
      };
  }
}
