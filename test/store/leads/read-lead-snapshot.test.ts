import type { HandOver } from '../../../domain/assignment/hand-over.ts';
import { insertHandOver } from '../../../store/assignment/hand-overs.ts';
import { makeEndpoint } from '../../activities/webhooks/support.ts';
import { startTestApi } from '../../support/api.ts';
import { handOverRequest } from '../../support/hand-over.ts';
import { activateRules, makeAgent } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 4 * QUARTER_MS;

const api = await startTestApi({ variables: { COMPANY_NAME: 'Sand & $& Sea' } });

afterAll(() => api.stop());

test('the reasons of a lead end with why its follow-up moved it nowhere', async () => {
  const { id: agentId } = await makeAgent(api.database, { slug: 'sara-haddad' });
  await activateRules(api.database, [{ name: 'Sales', target: { kind: 'agent', agentId } }]);
  const { id: leadId } = await api.create();
  const routed = await leadActivities(api).routeLead({ leadId });
  expect(routed?.reasons).toEqual([`Rule 'Sales' names agent sara-haddad.`]);
  const later = () => new Date(Date.now() + QUARTER_MS);
  const expired = await leadActivities(api, later).expireFollowUp({ leadId, round: 1, moves: 0 });
  expect(expired?.reasons).toEqual([
    `Rule 'Sales' names agent sara-haddad.`,
    'No response in time.',
  ]);
});

test('the reasons of a waiting lead that was assigned, taken back and sent back are one for each decision', async () => {
  const away = await makeAgent(api.database, { slug: 'nina-away' });
  const hours = [-1, 1].map((distance) => new Date(Date.now() + distance * HOUR_MS).toISOString());
  await api.database.query(
    `insert into agent_absences (agent_id, starts, ends) values ($1, $2, $3)`,
    [away.id, ...hours],
  );
  const onExhausted = { kind: 'wait', atMostMinutes: 600, then: { kind: 'unassigned' } };
  const target = { kind: 'agent', agentId: away.id };
  await activateRules(api.database, [{ name: 'Nina', target, onExhausted }]);
  const { id: agentId } = await makeAgent(api.database, { slug: 'omar-here' });
  const { id: leadId } = await api.create();
  await leadActivities(api).routeLead({ leadId });
  const handOver = async (to: HandOver['target'], undoes: string | null = null) => {
    const request = handOverRequest(to, { leadId, undoes });
    await insertHandOver(api.database, request);
    await leadActivities(api).handOverLead({ leadId, handOverId: request.id });
    return request.id;
  };
  const assigned = await handOver({ kind: 'agent', agentId });
  await handOver({ kind: 'rules' }, assigned);
  await handOver({ kind: 'rules' });
  const waits = `Rule 'Nina' waits until `;
  const lead = await leadActivities(api).readLead({ leadId });
  expect(lead).toMatchObject({ status: 'pending' });
  expect(lead?.reasons).toEqual([
    expect.stringMatching(`^${waits}`),
    'Assigned by an operator to agent omar-here.',
    expect.stringMatching(`^Taken back by an operator\\. ${waits}`),
    expect.stringMatching(`^Sent back to the rules by an operator\\. ${waits}`),
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

test('a lead with thousands of deliveries is read within what Temporal takes: those that are due, then the oldest', async () => {
  const { id: leadId } = await api.create();
  const { endpointId } = await makeEndpoint(api, 'https://endpoint.example/hooks');
  await api.database.query(
    `with events as (
       insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
       select 'evt_' || gen_random_uuid(), l.id, l.client_id, 'lead.responded', 100 + n, '{}', now()
       from leads l, generate_series(1, 3000) n where l.id = $1 returning id, lead_id, sequence)
     insert into webhook_deliveries (event_id, endpoint_id, lead_id, status, created_at)
     select id, $2, lead_id, case when sequence > 3090 then 'pending' else 'failed' end, now() from events`,
    [leadId, endpointId],
  );
  const lead = await leadActivities(api).readLead({ leadId });
  const statuses = lead?.deliveries.map(({ status }) => status) ?? [];
  expect(statuses).toHaveLength(500);
  expect(statuses.slice(-10)).toEqual(Array.from({ length: 10 }, () => 'pending'));
  expect(new Set(statuses.slice(0, -10))).toEqual(new Set(['failed']));
});
