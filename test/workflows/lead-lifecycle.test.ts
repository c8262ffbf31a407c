import { randomUUID } from 'node:crypto';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { waitUntil } from '../../dev/wait-until.ts';
import { claimLead, leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { readable } from '../replay/payloads.ts';
import { newPhone, startTestApi } from '../support/api.ts';
import { activateRules, makeAgent, makePool, makeSource, makeTeam } from '../support/routing.ts';
import { createTestDispatcher, openTestTemporal } from '../support/temporal.ts';
import { startTestWorkers, testActivityContext } from '../support/worker.ts';

const temporal = await openTestTemporal();
const { client, connection } = temporal;
const api = await startTestApi({
  temporal: client,
  leads: (database) => createTestDispatcher(client, database),
});
const { config, call } = api;
const workers = await startTestWorkers(testActivityContext(api.database, config), temporal.target);
afterAll(async () => {
  await workers.stop();
  await api.stop();
  await connection.close();
});

const create = (body: object = {}) => api.create(body);

const assignment = async (leadId: string) =>
  (await call('GET', `/public/leads/${leadId}/assignment`)).body;

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

const claim = (leadId: string, agentId: string) =>
  claimLead(client, leadId, { agentId, claimId: randomUUID() });

describe('the lead workflow', () => {
  test('routes a new lead to the team of the first rule that matches', async () => {
    const [sara, omar] = [await makeAgent(api.database), await makeAgent(api.database)];
    const teamId = await makeTeam(api.database, [sara, omar], [2, 1]);
    await activateRules(api.database, [{ target: { kind: 'team', teamId } }]);
    const owners: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const lead = await create();
      expect(lead.assignedTo).toBeNull();
      owners.push((await settled(lead.id)).agent.id);
    }
    expect(owners.filter((id) => id === sara.id)).toHaveLength(4);
    expect(owners.filter((id) => id === omar.id)).toHaveLength(2);
  });

  test('leaves a lead unassigned after the last rule', async () => {
    await activateRules(api.database, []);
    const lead = await create();
    expect(await settled(lead.id)).toMatchObject({
      status: 'unassigned',
      agent: null,
      retryAfterSeconds: null,
    });
  });

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

  test.each([
    ['its minutes', { minutes: 3 }, 3],
    ['none where it says so', { minutes: 0 }, null],
    ['the configured minutes where the rule has none', {}, 15],
  ])('a claimed lead has the clock of the rule that left it in the pool: %s', async (...given) => {
    const [, followUp, minutes] = given;
    const poolId = await makePool(api.database);
    await activateRules(api.database, [{ target: { kind: 'pool', poolId }, followUp }]);
    const lead = await create();
    await settled(lead.id);
    const agent = await makeAgent(api.database);
    expect(await claim(lead.id, agent.id)).toEqual({ claimed: true, agentId: agent.id });
    const [clock] = await api.database.query(
      `select extract(epoch from follow_up_due_at - assigned_at)::int / 60 as minutes
       from leads where id = $1`,
      [lead.id],
    );
    expect(clock).toEqual({ minutes });
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
    const update = await call('PUT', `/public/leads/${lead.id}`, { body: { priority: 'high' } });
    expect(update.body).toMatchObject({
      updated: true,
      updatedFields: ['priority'],
      rerouted: true,
    });
    expect((await settled(lead.id)).agent.id).toBe(agent.id);
  });

  test('shows the operator where the lead stands, without personal data', async () => {
    const agent = await makeAgent(api.database, { slug: 'sara-haddad' });
    await activateRules(api.database, [
      { name: 'Everything', target: { kind: 'agent', agentId: agent.id } },
    ]);
    const phone = newPhone();
    const lead = await create({
      leadPhones: [phone],
      leadEmails: ['secret@example.com'],
      leadFirstName: 'Verysecretname',
    });
    await settled(lead.id);
    const handle = leadRun(client, lead.id);
    await waitUntil(
      async () => {
        const { typedSearchAttributes } = await handle.describe();
        const found = Object.fromEntries(
          typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
        );
        if (found.LeadStatus !== 'assigned') throw new Error('not yet');
        expect(found).toMatchObject({
          Agent: 'sara-haddad',
          AgentId: agent.id,
          NeedsReview: false,
          OAuthClientId: api.client.clientId,
        });
      },
      { what: 'search attributes' },
    );
    const history = historyToJSON(await handle.fetchHistory());
    for (const page of [history, readable(history)])
      for (const personal of ['Verysecretname', 'secret@example', phone.replace('+971', '')])
        expect(page).not.toContain(personal);
    const { metadata } = { metadata: await handle.query('__temporal_workflow_metadata') } as {
      metadata: { currentDetails: string };
    };
    expect(metadata.currentDetails).toContain('Held by agent sara-haddad');
    expect(metadata.currentDetails).toContain("Rule 'Everything'");
  });
});
