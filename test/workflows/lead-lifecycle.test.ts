import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { startLiveService } from '../replay/record/live-service.ts';
import { activateRules, makeAgent, makePool, makeSource } from '../support/routing.ts';

const service = await startLiveService({});
const { api, claim, enquire: create, temporal: client } = service;
afterAll(() => service.stop());

const assignment = async (leadId: string) =>
  (await api.call('GET', `/public/leads/${leadId}/assignment`)).body;

async function settled(leadId: string) {
  return waitUntil(
    async () => {
      const found = await assignment(leadId);
      if (found.status === 'pending') throw new Error('still pending');
      return found;
    },
    { what: 'an owner' },
  );
}

describe('the lead workflow', () => {
  test('of ten claims on a pool lead one wins and nine are refused with a reason', async () => {
    const poolId = await makePool(api.database);
    await activateRules(api.database, [{ target: { kind: 'pool', poolId } }]);
    const lead = await create();
    expect((await settled(lead.id)).status).toBe('pool');
    const agents = await Promise.all(Array.from({ length: 10 }, () => makeAgent(api.database)));
    const outcomes = await Promise.all(agents.map((agent) => claim(lead.id, agent.id)));
    expect(outcomes.filter((outcome) => outcome.claimed)).toHaveLength(1);
    expect(
      outcomes.filter((outcome) => !outcome.claimed && outcome.reason === 'held_by_another'),
    ).toHaveLength(9);
    expect((await assignment(lead.id)).status).toBe('assigned');
  });

  test('completes at once for a portal lead without a clock, and wakes again for new details', async () => {
    await makeSource(api.database, 'Portal A', true);
    await activateRules(api.database, []);
    const lead = await create({ source: 'Portal A' });
    expect((await settled(lead.id)).status).toBe('unassigned');
    const handle = leadRun(client, lead.id);
    expect(await handle.result()).toBe('unassigned');
    const agent = await makeAgent(api.database);
    await activateRules(api.database, [{ target: { kind: 'agent', agentId: agent.id } }]);
    const update = await api.call('PUT', `/public/leads/${lead.id}`, {
      body: { priority: 'high' },
    });
    expect(update.body).toMatchObject({
      updated: true,
      updatedFields: ['priority'],
      rerouted: true,
    });
    expect((await settled(lead.id)).agent.id).toBe(agent.id);
  });
});
