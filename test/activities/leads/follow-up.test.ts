import { startTestApi } from '../../support/api.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';

const api = await startTestApi();
afterAll(() => api.stop());

function minutesLater(minutes: number) {
  const at = new Date(Date.now() + minutes * 60_000);
  return leadActivities(api, () => at);
}

const create = async (): Promise<string> => (await api.create()).id;

const respond = (leadId: string) =>
  api.call('POST', `/public/leads/${leadId}/response-time`, { body: { seconds: 30 } });

test('a lead with a recorded response starts no clock, routed or claimed', async () => {
  const agent = await makeAgent(api.database);
  const poolId = await makePool(api.database);
  await activateRules(api.database, [{ target: { kind: 'agent', agentId: agent.id } }]);
  const routed = await create();
  await respond(routed);
  expect(await minutesLater(0).routeLead({ leadId: routed })).toMatchObject({
    status: 'assigned',
    followUpDueAtMs: null,
  });

  await activateRules(api.database, [{ target: { kind: 'pool', poolId } }]);
  const pooled = await create();
  const route = minutesLater(0).routeLead;
  await route({ leadId: pooled });
  await respond(pooled);
  const claim = { leadId: pooled, agentId: agent.id, claimId: crypto.randomUUID() };
  expect(await minutesLater(1).claimLead(claim)).toMatchObject({ claimed: true });
  expect(await route({ leadId: pooled })).toMatchObject({
    status: 'assigned',
    followUpDueAtMs: null,
  });
});

test('who held a lead in an earlier round may be next in this one', async () => {
  const [first, second] = [await makeAgent(api.database), await makeAgent(api.database)];
  const poolId = await makePool(api.database);
  const teamId = await makeTeam(api.database, [first, second]);
  const rule = { target: { kind: 'team', teamId } };
  const holders: unknown[] = [];

  await activateRules(api.database, [{ ...rule, followUp: { onExpiry: 'pool', poolId } }]);
  const leadId = await create();
  holders.push((await minutesLater(0).routeLead({ leadId }))?.agentId);
  const expired = await minutesLater(20).expireFollowUp({ leadId, round: 1, moves: 0 });
  expect(expired?.status).toBe('pool');

  await activateRules(api.database, [{ ...rule, followUp: { onExpiry: 'reassign' } }]);
  await api.call('PUT', `/public/leads/${leadId}`, { body: { priority: 'high' } });
  holders.push((await minutesLater(30).routeLead({ leadId }))?.agentId);
  const moved = await minutesLater(50).expireFollowUp({ leadId, round: 2, moves: 0 });
  holders.push(moved?.agentId);
  const stays = await minutesLater(70).expireFollowUp({ leadId, round: 2, moves: 1 });
  holders.push(stays?.agentId);
  expect(holders).toEqual([first.id, second.id, first.id, first.id]);
});
