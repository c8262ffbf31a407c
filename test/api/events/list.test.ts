import { type TestClient, startIntake } from '../../support/api.ts';

const api = await startIntake();
const { call, addClient, create, setNow } = api;
afterAll(() => api.stop());

const read = (query: string, client: TestClient = api.client) =>
  call('GET', `/public/events${query}`, { client });

async function page(client: TestClient, query = '') {
  const { status, body } = await read(query, client);
  expect(status).toBe(200);
  return body;
}

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe('GET /public/events', () => {
  test('has an event as its webhook has it, with the webhook-id, also where no endpoint is', async () => {
    const client = await addClient();
    const lead = await create({ assignedBy: 'sara@agency.example' }, { client });
    const stored = await api.database.query<{ id: string; body: string }>(
      `select id, body from webhook_events where lead_id = $1 order by sequence`,
      [lead.id],
    );
    const { data, meta } = await page(client);
    expect(data).toEqual(stored.map(({ id, body }) => ({ id, ...JSON.parse(body) })));
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      'lead.created',
      'lead.assigned',
    ]);
    expect(meta).toEqual({ next: data[1].id, hasMore: false });
  });

  test('of a client without events gives a cursor that finds its first', async () => {
    const client = await addClient();
    const [empty, now] = [await page(client), await page(client, '?after=latest')];
    const lead = await create({}, { client });
    for (const { data, meta } of [empty, now]) {
      expect([data, meta.hasMore]).toEqual([[], false]);
      const found = await page(client, `?after=${meta.next}`);
      expect(found.data).toMatchObject([{ data: { leadId: lead.id } }]);
    }
  });

  test('after=latest is a cursor for now, whatever the types', async () => {
    const client = await addClient();
    const lead = await create({}, { client });
    await call('POST', `/public/leads/${lead.id}/response-time`, { client, body: { seconds: 9 } });
    const now = await page(client, '?after=latest&types=lead.created');
    expect(now).toMatchObject({ data: [], meta: { hasMore: false } });
    const all = `types=lead.created,lead.responded`;
    expect(ids(await page(client, `?after=${now.meta.next}&${all}`))).toEqual([]);
    const later = await create({}, { client });
    const next = await page(client, `?after=${now.meta.next}&${all}`);
    expect(next.data).toMatchObject([{ type: 'lead.created', data: { leadId: later.id } }]);
  });

  test('has the types that are asked for; without any those that endpoints get by default', async () => {
    const client = await addClient();
    const lead = await create({ assignedBy: 'sara@agency.example' }, { client });
    await call('POST', `/public/leads/${lead.id}/response-time`, { client, body: { seconds: 9 } });
    const typesOf = async (query: string) =>
      (await page(client, query)).data.map(({ type }: { type: string }) => type);
    const byDefault = ['lead.created', 'lead.assigned'];
    expect(await typesOf('')).toEqual(byDefault);
    expect(await typesOf('?types=')).toEqual(byDefault);
    expect(await typesOf('?types=lead.responded')).toEqual(['lead.responded']);
    expect(await typesOf('?types=%20lead.responded,,lead.created,lead.created')).toEqual([
      'lead.created',
      'lead.responded',
    ]);
    expect(await typesOf('?types=lead.pooled,lead.unassigned')).toEqual([]);
  });

  test('has the leads that the client created, as its endpoints have them: none that it merged into or may see', async () => {
    const [owner, other] = [await addClient(), await addClient({ scope: 'leads:all' })];
    const leadPhones = ['+971501112233'];
    await create({ leadPhones }, { client: owner });
    expect(await create({ leadPhones }, { client: other })).toMatchObject({ merged: true });
    expect(ids(await page(owner))).toHaveLength(1);
    expect(ids(await page(other))).toEqual([]);
  });

  test.each([
    ['a text', 'nonsense'],
    ['an id of no event', 'evt_0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01'],
  ])('400 for a cursor that is %s', async (_what, after) => {
    const answer = await read(`?after=${after}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('400 for a cursor of another client', async () => {
    await create();
    const { meta } = await page(api.client);
    const { status } = await read(`?after=${meta.next}`, await addClient());
    expect([meta.next, status]).toEqual([expect.stringMatching('^evt_'), 400]);
  });

  test.each([
    ['types', 'lead.deleted'],
    ['limit', '0'],
    ['limit', '501'],
    ['since', 'yesterday'],
    ['since', '2026-11-24T09:00:00+04:00'],
    ['order', 'up'],
    ['integrationRef', 'x'.repeat(129)],
    ['integrationRef', '%20'],
    ['integrationRef', '%00'],
  ])('422 for %s=%s', async (name, value) => {
    const { status, body } = await read(`?${name}=${value}`);
    expect([status, body.errors]).toEqual([422, [expect.stringMatching(`^${name}: `)]]);
  });

  test('newest first leads to older ones, page by page, and has each once', async () => {
    const client = await addClient();
    for (let count = 0; count < 5; count += 1) await create({}, { client });
    const all = ids(await page(client));
    const newest = await page(client, '?order=desc&limit=2');
    expect([ids(newest), newest.meta.hasMore]).toEqual([[all[4], all[3]], true]);
    const older = await page(client, `?order=desc&limit=3&after=${newest.meta.next}`);
    expect([ids(older), older.meta.hasMore]).toEqual([[all[2], all[1], all[0]], false]);
    expect(ids(await page(client, `?order=desc&after=${older.meta.next}`))).toEqual([]);
    expect(ids(await page(client, '?order=desc&after=latest'))).toEqual(all.toReversed());
    expect(ids(await page(client, '?order=desc&after=first'))).toEqual([]);
  });

  test('since a time begins with the first event of then, and its cursor goes on', async () => {
    const client = await addClient();
    const day = (number: number) => new Date(Date.UTC(2031, 0, number, 9));
    for (const number of [1, 2, 3]) {
      setNow(day(number));
      await create({}, { client });
    }
    const all = ids(await page(client));
    const since = (number: number, more = '') => `?since=${day(number).toISOString()}${more}`;
    expect(ids(await page(client, since(1)))).toEqual(all);
    const offset = encodeURIComponent(
      day(2).toISOString().replace('T09', 'T13').replace('Z', '+0400'),
    );
    expect(ids(await page(client, `?since=${offset}`))).toEqual(all.slice(1));
    const second = await page(client, since(2, '&limit=1'));
    expect([ids(second), second.meta.hasMore]).toEqual([[all[1]], true]);
    expect(ids(await page(client, `?after=${second.meta.next}`))).toEqual([all[2]]);
    expect(ids(await page(client, since(1, `&after=${second.meta.next}`)))).toEqual([all[2]]);
    expect(ids(await page(client, since(2, '&order=desc')))).toEqual([all[2], all[1]]);
    const none = await page(client, since(4));
    expect(none).toEqual({ data: [], meta: { next: all[2], hasMore: false } });
    setNow(day(4));
    const later = await create({}, { client });
    const found = await page(client, `?after=${none.meta.next}`);
    expect(found.data).toMatchObject([{ data: { leadId: later.id } }]);
    expect(ids(await page(client, '?since=2031-01-04T13:00:00%2B04:00'))).toEqual(ids(found));
    setNow(null);
  });

  test('an event that was written late, with the time of its start, is there since that time', async () => {
    const client = await addClient();
    for (const hour of [12, 9]) {
      setNow(new Date(Date.UTC(2032, 0, 1, hour)));
      await create({}, { client });
    }
    setNow(null);
    const all = ids(await page(client));
    expect(ids(await page(client, '?since=2032-01-01T09:00:00Z'))).toEqual(all);
    expect(ids(await page(client, '?since=2032-01-01T12:00:00Z'))).toEqual(all);
  });

  test('of an integrationRef has just the events of leads that were sent with it', async () => {
    const client = await addClient();
    await create({ integrationRef: 'portal-1' }, { client });
    const lead = await create(
      { integrationRef: 'portal-2', assignedBy: 'sara@agency.example' },
      { client },
    );
    const events = await page(client, '?integrationRef=portal-2');
    expect(events.data).toMatchObject([
      { type: 'lead.created', data: { leadId: lead.id } },
      { type: 'lead.assigned', data: { leadId: lead.id } },
    ]);
    const assigned = await page(client, '?integrationRef=portal-2&types=lead.assigned&order=desc');
    expect(assigned.data).toEqual([events.data[1]]);
    expect((await page(client, '?integrationRef=portal-3')).data).toEqual([]);
    expect((await page(await addClient(), '?integrationRef=portal-2')).data).toEqual([]);
  });
});
