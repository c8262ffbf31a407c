import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLeadActivities } from '../../../activities/leads/lead-activities.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { activateRules, makeAgent } from '../../support/routing.ts';
import { testActivityContext } from '../../support/worker.ts';

const QUARTER_MS = 15 * 60_000;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ variables: { COMPANY_NAME: 'Sand & $& Sea' } });
});

afterAll(() => api.stop());

test('the reasons of a lead end with why its follow-up moved it nowhere', async () => {
  const { id: agentId } = await makeAgent(api.database, { slug: 'sara-haddad' });
  await activateRules(api.database, [{ name: 'Sales', target: { kind: 'agent', agentId } }]);
  const { body } = await api.call('POST', '/public/leads', {
    body: { leadEmails: ['mona@person.example'] },
  });
  const at = (date: Date) => testActivityContext(api.database, api.config, () => date);
  const routed = await createLeadActivities(at(new Date())).routeLead({ leadId: body.id });
  expect(routed?.reasons).toEqual([`Rule 'Sales' names agent sara-haddad.`]);
  const later = at(new Date(Date.now() + QUARTER_MS));
  const expired = await createLeadActivities(later).expireFollowUp({
    leadId: body.id,
    round: 1,
    moves: 0,
  });
  expect(expired?.reasons).toEqual([
    `Rule 'Sales' names agent sara-haddad.`,
    'No response in time.',
  ]);
});

test('the funnel that carries the company is shown with its name', async () => {
  const { body } = await api.call('POST', '/public/leads', {
    body: { leadEmails: ['noor@person.example'], funnel: 'Sand & $& Sea the Agency' },
  });
  const context = testActivityContext(api.database, api.config, () => new Date());
  const routed = await createLeadActivities(context).routeLead({ leadId: body.id });
  expect(routed?.funnel).toBe('Sand & $& Sea the Agency');
});

test('a client is named by its public id, or by its name where that id is a uuid', async () => {
  const readable = await api.addClient({ name: 'Shop' });
  const generated = await api.addClient({ name: 'Landing page' });
  const [row] = await api.database.query<{ clientId: string }>(
    `update oauth_clients set client_id = gen_random_uuid() where id = $1 returning client_id as "clientId"`,
    [generated.id],
  );
  const context = testActivityContext(api.database, api.config, () => new Date());
  const labelOf = async (client: typeof readable) => {
    const body = { leadEmails: [`${client.id}@person.example`] };
    const lead = await api.call('POST', '/public/leads', { client, body });
    return createLeadActivities(context).routeLead({ leadId: lead.body.id });
  };
  expect(await labelOf(readable)).toMatchObject({ clientLabel: readable.clientId });
  expect(await labelOf(generated)).toMatchObject({
    clientLabel: 'Landing page',
    oauthClientId: row?.clientId,
  });
});
