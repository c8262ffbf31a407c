import { randomUUID } from 'node:crypto';
import { startIntake } from '../../support/api.ts';

const api = await startIntake();
afterAll(() => api.stop());

const respond = (leadId: string, body: unknown, options = {}) =>
  api.call('POST', `/public/leads/${leadId}/response-time`, { body, ...options });

describe('POST /public/leads/{id}/response-time', () => {
  test('answers with the lead, the seconds and the time of the call, and stops the clock', async () => {
    const lead = await api.create({ assignedBy: 'sara@agency.example' });
    expect((await api.lead(lead.id)).follow_up_due_at).not.toBeNull();
    const now = new Date('2026-09-20T10:00:00.123Z');
    api.setNow(now);
    const answer = await respond(lead.id.toUpperCase(), { seconds: 420 });
    api.setNow(null);
    expect(answer).toMatchObject({
      status: 200,
      body: { leadId: lead.id, agentResponseSeconds: 420, agentRespondedAt: now.toISOString() },
    });
    expect(await api.lead(lead.id)).toMatchObject({
      agent_response_seconds: 420,
      agent_responded_at: now,
      follow_up_due_at: null,
    });
    expect(api.signalled).toContainEqual({ leadId: lead.id, event: 'responded' });
  });

  test('the last write wins, also of many at once', async () => {
    const lead = await api.create();
    await respond(lead.id, { seconds: 10 });
    expect((await respond(lead.id, { seconds: 5 })).body.agentResponseSeconds).toBe(5);
    expect(await api.lead(lead.id)).toMatchObject({ agent_response_seconds: 5 });
    const all = Array.from({ length: 8 }, (_none, seconds) => respond(lead.id, { seconds }));
    for (const { status } of await Promise.all(all)) expect(status).toBe(200);
  });

  test('the first response of a holder signals the workflow though no clock runs, a later one does not', async () => {
    const lead = await api.create({
      assignedBy: 'sara@agency.example',
      distributionType: 'Personal distribution',
    });
    expect((await api.lead(lead.id)).follow_up_due_at).toBeNull();
    await respond(lead.id, { seconds: 10 });
    await respond(lead.id, { seconds: 5 });
    const signalled = await api.database.query(
      `select id from lead_outbox where lead_id = $1 and event = 'responded'`,
      [lead.id],
    );
    expect(signalled).toHaveLength(1);
  });

  test.each([0, 2_592_000, 420.0])('%d seconds are taken', async (seconds) => {
    const lead = await api.create();
    expect((await respond(lead.id, { seconds })).status).toBe(200);
  });

  test.each([
    ['{"seconds": -1}', 'seconds'],
    ['{"seconds": 1.5}', 'seconds'],
    ['{"seconds": 2592001}', 'seconds'],
    ['{"seconds": "420"}', 'seconds'],
    ['{"seconds": 1, "__proto__": 1}', '__proto__'],
    ['{"seconds": 1, "agentRespondedAt": "2026-09-20T10:00:00Z"}', 'agentRespondedAt'],
  ])('%s is refused with 422', async (body, field) => {
    const answer = await respond(randomUUID(), body);
    expect(answer.body.errors).toEqual([expect.stringMatching(`^${field}: `)]);
  });
});

describe('A lead of another client', () => {
  const body = { seconds: 1 };
  test.each([
    ['GET', '/assignment', undefined],
    ['POST', '/response-time', body],
    ['PUT', '', { leadFirstName: 'X' }],
    ['PATCH', '', { leadFirstName: 'X' }],
  ])('%s %s answers as for a lead that does not exist', async (method, ending, sent) => {
    const lead = await api.create();
    const client = await api.addClient({ name: 'Stranger' });
    const ask = async (id: string) => {
      const answer = await api.call(method, `/public/leads/${id}${ending}`, {
        client,
        ...(sent ? { body: sent } : {}),
      });
      const rest = { ...answer.body, path: null, timestamp: null, requestId: null };
      return { status: answer.status, type: answer.headers.get('content-type'), rest };
    };
    const foreign = await ask(lead.id);
    expect(foreign).toEqual(await ask(randomUUID()));
    expect(foreign).toMatchObject({ status: 404, rest: { code: 'NOT_FOUND' } });
    expect(await api.lead(lead.id)).toMatchObject({ lead_first_name: null });
  });

  test('is there with the scope leads:all', async () => {
    const lead = await api.create();
    const client = await api.addClient({ name: 'Back office', scope: 'other leads:all' });
    expect((await respond(lead.id, body, { client })).status).toBe(200);
    expect((await api.update(lead.id, { priority: 'x' }, { client })).updated).toBe(true);
  });
});

describe('GET /public/leads/{id}/assignment', () => {
  test.each([
    ['unassigned', `assignment_status = 'unassigned'`],
    ['pool', `assignment_status = 'pool', pool_id = (select id from pool)`],
  ])('a lead that is %s shows no agent and no retryAfterSeconds', async (status, change) => {
    const lead = await api.create();
    await api.database.query(
      `with pool as (insert into list_entries (id, list, key, name)
         values (gen_random_uuid(), 'pool', gen_random_uuid()::text, 'P') returning id)
       update leads set ${change} where id = $1`,
      [lead.id],
    );
    const answer = await api.call('GET', `/public/leads/${lead.id}/assignment`);
    expect(answer.body).toMatchObject({ status, agent: null, retryAfterSeconds: null });
  });

  test('retryAfterSeconds is 2 at first and grows with the age of the lead to 60', async () => {
    const lead = await api.create();
    const after = async (seconds: number) => {
      api.setNow(new Date(Date.parse(lead.createdAt) + seconds * 1000));
      const answer = await api.call('GET', `/public/leads/${lead.id}/assignment`);
      api.setNow(null);
      return answer.body.retryAfterSeconds;
    };
    expect([await after(0), await after(100), await after(86_400)]).toEqual([2, 20, 60]);
  });
});
