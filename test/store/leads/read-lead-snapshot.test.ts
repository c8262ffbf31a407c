import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { activateRules, makeAgent } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';

const QUARTER_MS = 15 * 60_000;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ variables: { COMPANY_NAME: 'Sand & $& Sea' } });
});

afterAll(() => api.stop());

test('the reasons of a lead end with why its follow-up moved it nowhere', async () => {
  const { id: agentId } = await makeAgent(api.database, { slug: 'sara-haddad' });
  await activateRules(api.database, [{ name: 'Sales', target: { kind: 'agent', agentId } }]);
  const { id: leadId } = await api.create();
  const routed = await leadActivities(api).routeLead({ leadId });
  expect(routed?.reasons).toEqual([`Rule 'Sales' names agent sara-haddad.`]);
  const later = () => new Date(Date.now() + QUARTER_MS);
  const expired = await leadActivities(api, later).expireFollowUp({
    leadId,
    round: 1,
    moves: 0,
  });
  expect(expired?.reasons).toEqual([
    `Rule 'Sales' names agent sara-haddad.`,
    'No response in time.',
  ]);
});

test('the funnel that carries the company is shown with its name', async () => {
  const { id: leadId } = await api.create({ funnel: 'Sand & $& Sea the Agency' });
  const routed = await leadActivities(api).routeLead({ leadId });
  expect(routed?.funnel).toBe('Sand & $& Sea the Agency');
});

test('a client is named by its public id, or by its name where that id is a uuid', async () => {
  const readable = await api.addClient({ name: 'Shop' });
  const generated = await api.addClient({ name: 'Landing page' });
  const [row] = await api.database.query<{ clientId: string }>(
    `update oauth_clients set client_id = gen_random_uuid() where id = $1 returning client_id as "clientId"`,
    [generated.id],
  );
  const labelOf = async (client: typeof readable) => {
    const { id: leadId } = await api.create({}, { client });
    return leadActivities(api).routeLead({ leadId });
  };
  expect(await labelOf(readable)).toMatchObject({ clientLabel: readable.clientId });
  expect(await labelOf(generated)).toMatchObject({
    clientLabel: 'Landing page',
    oauthClientId: row?.clientId,
  });
});
