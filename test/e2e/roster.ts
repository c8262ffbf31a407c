import {
  activateRules,
  makePool,
  makeSource,
  makeTeam,
  type TestAgent,
} from '../support/routing.ts';
import { kinds } from './plan.ts';
import type { TestService } from './test-service.ts';

export type WorkloadRoster = Awaited<ReturnType<typeof makeRoster>>;

export const DAILY_CAP = 3;
const MAX_MOVES = 2;
const ONE_SECOND = 1 / 60;

/** A rule for each kind of lead that has one; leads of the others find nobody. */
export async function makeRoster(service: TestService) {
  const { database } = service.api;
  const agents = (count: number, over?: object) =>
    Promise.all(Array.from({ length: count }, () => service.addAgent(over)));
  const when: Record<string, object[][]> = {};
  for (const kind of kinds) {
    const values = [await makeSource(database, kind)];
    when[kind] = [[{ field: 'source', op: 'in', values }]];
  }
  const weighted = await agents(4);
  const teamId = await makeTeam(database, weighted, [3]);
  const capped = await agents(2, { daily_cap: DAILY_CAP });
  const cappedTeamId = await makeTeam(database, capped);
  const [returning] = await agents(1);
  const poolId = await makePool(database);
  const rulesetVersion = await activateRules(database, [
    {
      name: 'Team',
      when: when['Team'],
      target: { kind: 'team', teamId },
      followUp: { minutes: ONE_SECOND, onExpiry: 'reassign', maxMoves: MAX_MOVES },
    },
    { name: 'Pool', when: when['Pool'], target: { kind: 'pool', poolId } },
    {
      name: 'Returning',
      when: when['Returning'],
      target: { kind: 'agent', agentId: returning?.id },
      followUp: { minutes: ONE_SECOND, onExpiry: 'pool', poolId },
    },
    { name: 'Capped', when: when['Capped'], target: { kind: 'team', teamId: cappedTeamId } },
  ]);
  const [named] = await agents(1);
  return { teamId, rulesetVersion, capped, claimers: await agents(5), named: named as TestAgent };
}
