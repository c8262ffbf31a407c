import { randomUUID } from 'node:crypto';
import { eventTypes } from '../../../domain/webhooks/event-payloads.ts';
import { insertHandOver } from '../../../store/assignment/hand-overs.ts';
import type { HandOver } from '../../../domain/assignment/hand-over.ts';
import { newEmail, newPhone, startTestApi, type TestClient } from '../../support/api.ts';
import { seedReference } from '../../support/reference.ts';
import { handOverRequest } from '../../support/hand-over.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';
import { zoneAtNoon } from '../../support/working-time.ts';

let client: TestClient;
const api = await startTestApi();
const sara = await makeAgent(api.database, { name: 'Sara H', email: 'sara@agency.example' });
const teamId = await makeTeam(api.database, [sara]);
const poolId = await makePool(api.database, 'Weekend Pool');
afterAll(() => api.stop());
beforeEach(async () => {
  client = await api.addClient();
  await api.database.query(`update agents set active = true`);
});

const activitiesAfter = (minutes = 0) => {
  const now = () => new Date(Date.now() + minutes * 60_000);
  return leadActivities(api, now);
};

async function create(body: object = {}): Promise<string> {
  return (await api.create({ integrationRef: 'page-7', ...body }, { client })).id;
}

async function createRouted(rule: object): Promise<string> {
  await activateRules(api.database, [rule]);
  const leadId = await create();
  await activitiesAfter().routeLead({ leadId });
  return leadId;
}

async function handOver(leadId: string, target: HandOver['target']): Promise<void> {
  const request = handOverRequest(target, { reason: 'a private reason', leadId });
  await insertHandOver(api.database, request);
  const { moved } = await activitiesAfter().handOverLead({ leadId, handOverId: request.id });
  expect(moved).toBe(true);
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

const pooled = (leadId: string, sequence: number, poolName = 'Weekend Pool') => ({
  type: 'lead.pooled',
  leadId,
  status: 'pool',
  poolName,
  integrationRef: 'page-7',
  sequence,
});
const unassigned = (leadId: string, sequence: number, reason: string) => ({
  type: 'lead.unassigned',
  leadId,
  status: 'unassigned',
  reason,
  integrationRef: 'page-7',
  sequence,
});

const toTeam = () => ({ target: { kind: 'team', teamId } });
const pause = () => api.database.query(`update agents set active = false`);

describe('lead.pooled', () => {
  test('where the rule leaves the lead in a pool, at once or because nobody can take it', async () => {
    const direct = await createRouted({ target: { kind: 'pool', poolId } });
    expect(await eventsOf(direct)).toEqual([pooled(direct, 2)]);
    await pause();
    const exhausted = await createRouted({ ...toTeam(), onExhausted: { kind: 'pool', poolId } });
    expect(await eventsOf(exhausted)).toEqual([pooled(exhausted, 2)]);
  });

  test('where nobody responded in time', async () => {
    const followUp = { minutes: 5, onExpiry: 'pool', poolId };
    const leadId = await createRouted({ ...toTeam(), followUp });
    await activitiesAfter(6).expireFollowUp({ leadId, round: 1, moves: 0 });
    expect(await eventsOf(leadId)).toEqual([
      expect.objectContaining({ type: 'lead.assigned', sequence: 2 }),
      pooled(leadId, 3),
    ]);
  });

  test('where an operator puts it into a pool, and into another one', async () => {
    const leadId = await createRouted(toTeam());
    await handOver(leadId, { kind: 'pool', poolId });
    await handOver(leadId, { kind: 'pool', poolId: await makePool(api.database, 'North') });
    const [, ...events] = await eventsOf(leadId);
    expect(events).toEqual([pooled(leadId, 3), pooled(leadId, 4, 'North')]);
  });

  test('at the end of a wait; the wait itself has no event', async () => {
    const agent = await makeAgent(api.database, { daily_cap: 1, time_zone: zoneAtNoon() });
    const busy = await makeTeam(api.database, [agent]);
    const then = { kind: 'pool', poolId };
    const rule = {
      target: { kind: 'team', teamId: busy },
      onExhausted: { kind: 'wait', atMostMinutes: 1500, then },
    };
    await createRouted(rule);
    const leadId = await createRouted(rule);
    expect(await eventsOf(leadId)).toEqual([]);
    await pause();
    await activitiesAfter(1501).routeLead({ leadId });
    expect(await eventsOf(leadId)).toEqual([pooled(leadId, 2)]);
  });
});

describe('lead.unassigned', () => {
  test('says whether any rule was for such a lead', async () => {
    const none = await createRouted({
      ...toTeam(),
      when: [[{ field: 'client', op: 'in', values: ['nobody'] }]],
    });
    expect(await eventsOf(none)).toEqual([unassigned(none, 2, 'no_rule_matched')]);
    await pause();
    const nobody = await createRouted(toTeam());
    expect(await eventsOf(nobody)).toEqual([unassigned(nobody, 2, 'nobody_available')]);
  });

  test('where an operator sends the lead back to the rules and nobody can take it', async () => {
    const leadId = await createRouted(toTeam());
    await handOver(leadId, { kind: 'rules' });
    const [, event] = await eventsOf(leadId);
    expect(event).toEqual(unassigned(leadId, 3, 'nobody_available'));
  });
});

describe('lead.responded', () => {
  const respond = (leadId: string, seconds: number) =>
    api.call('POST', `/public/leads/${leadId}/response-time`, { client, body: { seconds } });

  test('has the seconds and the holder, each time that a response is recorded', async () => {
    const leadId = await createRouted(toTeam());
    await respond(leadId, 420);
    await respond(leadId, 60);
    const [{ agent }, ...events] = (await eventsOf(leadId)) as never as [{ agent: object }, object];
    expect(agent).toMatchObject({ id: sara.id, name: 'Sara H' });
    const responded = { type: 'lead.responded', leadId, agent, integrationRef: 'page-7' };
    expect(events).toEqual([
      { ...responded, seconds: 420, sequence: 3 },
      { ...responded, seconds: 60, sequence: 4 },
    ]);
  });

  test('has no agent where nobody holds the lead', async () => {
    const leadId = await create();
    await respond(leadId, 5);
    const event = { type: 'lead.responded', leadId, seconds: 5, agent: null };
    expect(await eventsOf(leadId)).toEqual([{ ...event, integrationRef: 'page-7', sequence: 2 }]);
  });
});

describe('lead.enquired', () => {
  const message = { initialInquiry: 'URGENT: please call me' };

  test('tells the client that created the lead of another enquiry, also of another client', async () => {
    await seedReference(api.database, { sources: [{ name: 'Social Ads' }] });
    const [phone, email] = [newPhone(), newEmail()];
    await activateRules(api.database, [toTeam()]);
    const leadId = await create({ leadPhones: [phone], leadEmails: [email] });
    await api.create({ leadPhones: [phone], integrationRef: 'page-8' }, { client });
    await activitiesAfter().routeLead({ leadId });
    const other = await api.addClient();
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
  await activitiesAfter().routeLead({ leadId });
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
