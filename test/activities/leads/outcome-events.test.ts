import { randomUUID } from 'node:crypto';
import { eventTypes } from '../../../domain/webhooks/event-payloads.ts';
import { newEmail, newPhone, startTestApi, type TestClient } from '../../support/api.ts';
import { seedReference } from '../../support/reference.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../support/routing.ts';
import { openDesk } from './desk.ts';

let client: TestClient;
const api = await startTestApi();
const { activitiesAt, handOverAt } = openDesk(api);
const sara = await makeAgent(api.database, { name: 'Sara H', email: 'sara@agency.example' });
const teamId = await makeTeam(api.database, [sara]);
const poolId = await makePool(api.database, 'Weekend Pool');
afterAll(() => api.stop());
beforeEach(async () => {
  client = await api.addClient();
  await api.database.query(`update agents set active = true`);
});

async function create(body: object = {}): Promise<string> {
  return (await api.create({ integrationRef: 'page-7', ...body }, { client })).id;
}

async function createRouted(rule: object): Promise<string> {
  await activateRules(api.database, [rule]);
  const leadId = await create();
  await activitiesAt(new Date()).routeLead({ leadId });
  return leadId;
}

/** What the client reads of a lead, without `lead.created`. */
async function eventsOf(leadId: string) {
  const query = `?types=${eventTypes.join()}`;
  const { body } = await api.call('GET', `/public/events${query}`, { client });
  const events: { type: string; data: { leadId: string } }[] = body.data;
  return events
    .filter(({ type, data }) => type !== 'lead.created' && data.leadId === leadId)
    .map(({ type, data }) => ({ type, ...data }));
}

const toTeam = () => ({ target: { kind: 'team', teamId } });

test('lead.pooled has the name of each pool', async () => {
  const leadId = await createRouted({ target: { kind: 'pool', poolId } });
  const north = { kind: 'pool', poolId: await makePool(api.database, 'North') } as const;
  await handOverAt(new Date(), leadId, north, { reason: 'a private reason' });
  const event = { type: 'lead.pooled', leadId, status: 'pool', integrationRef: 'page-7' };
  expect(await eventsOf(leadId)).toEqual([
    { ...event, poolName: 'Weekend Pool', sequence: 2 },
    { ...event, poolName: 'North', sequence: 3 },
  ]);
});

test('lead.unassigned says whether any rule was for such a lead', async () => {
  const when = [[{ field: 'client', op: 'in', values: ['nobody'] }]];
  const none = await createRouted({ ...toTeam(), when });
  await api.database.query(`update agents set active = false`);
  const nobody = await createRouted(toTeam());
  for (const [leadId, reason] of [
    [none, 'no_rule_matched'],
    [nobody, 'nobody_available'],
  ] as const) {
    const event = { type: 'lead.unassigned', leadId, status: 'unassigned', reason, sequence: 2 };
    expect(await eventsOf(leadId)).toEqual([{ ...event, integrationRef: 'page-7' }]);
  }
});

test('lead.enquired tells the client that created the lead of another enquiry, also of another client', async () => {
  await seedReference(api.database, { sources: [{ name: 'Social Ads' }] });
  const [phone, email] = [newPhone(), newEmail()];
  await activateRules(api.database, [toTeam()]);
  const leadId = await create({ leadPhones: [phone], leadEmails: [email] });
  await api.create({ leadPhones: [phone], integrationRef: 'page-8' }, { client });
  await activitiesAt(new Date()).routeLead({ leadId });
  const other = await api.addClient();
  const message = { initialInquiry: 'URGENT: please call me' };
  const sent = { leadEmails: [email], source: 'social ads', ...message };
  await api.create(sent, { client: other });
  const [first, assigned, second] = await eventsOf(leadId);
  const common = { type: 'lead.enquired', leadId, integrationRef: 'page-7' };
  expect(first).toEqual({
    ...common,
    ...{ enquiredAt: expect.stringMatching(/Z$/), source: null, matchedOn: 'phone' },
    ...{ hasMessage: false, assignedTo: null, sequence: 2 },
  });
  expect(assigned).toMatchObject({ type: 'lead.assigned', sequence: 3 });
  expect(second).toMatchObject({
    ...common,
    ...{ source: { name: 'Social Ads' }, matchedOn: 'email', hasMessage: true, sequence: 4 },
    assignedTo: { id: sara.id },
  });
  const { body } = await api.call('GET', '/public/events?types=lead.enquired', { client: other });
  expect(body.data).toEqual([]);
});

test('endpoints get the new types just where they name them; a response and a merge signal the workflow for one that does', async () => {
  const insert = async (types: readonly string[]) => {
    const id = randomUUID();
    await api.database.query(
      `insert into webhook_endpoints (id, client_id, url, events, secret_sealed, created_at)
       values ($1, $2, 'https://shop.example/hook', $3, '', now())`,
      [id, client.id, types],
    );
    return id;
  };
  const [byDefault, byName] = [await insert(eventTypes.slice(0, 2)), await insert(eventTypes)];
  await activateRules(api.database, [{ target: { kind: 'pool', poolId } }]);
  const leadPhones = [newPhone()];
  const leadId = await create({ leadPhones });
  await activitiesAt(new Date()).routeLead({ leadId });
  const respond = { client, body: { seconds: 5 } };
  await api.call('POST', `/public/leads/${leadId}/response-time`, respond);
  await api.create({ leadPhones }, { client: await api.addClient() });
  const deliveries = await api.database.query<{ endpoint: string; type: string }>(
    `select endpoint_id as endpoint, type from webhook_deliveries d join webhook_events e on e.id = d.event_id
     where d.lead_id = $1 order by endpoint_id = $2, sequence`,
    [leadId, byName],
  );
  expect(deliveries).toEqual([
    { endpoint: byDefault, type: 'lead.created' },
    { endpoint: byName, type: 'lead.created' },
    { endpoint: byName, type: 'lead.pooled' },
    { endpoint: byName, type: 'lead.responded' },
    { endpoint: byName, type: 'lead.enquired' },
  ]);
  const outbox = await api.database.query(
    `select event from lead_outbox where lead_id = $1 and event <> 'created' order by id`,
    [leadId],
  );
  expect(outbox).toEqual([{ event: 'responded' }, { event: 'updated' }]);
  expect(api.signalled.at(-1)).toEqual({ leadId, event: 'updated' });
});
