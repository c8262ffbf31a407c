import { openApiDocument } from '../../api/openapi/document.ts';
import { routes } from '../../api/routes/index.ts';
import { generateTypes } from '../../dev/client/generate.ts';
import {
  isMerged,
  createLeadClient,
  dataOf,
  type LeadClient,
  type LeadCreate,
} from '../../dev/client/lead-client.ts';
import { startTestApi } from '../support/api.ts';
import { startFailingServer } from '../support/failing-server.ts';

const api = await startTestApi();
const front = await startFailingServer(api.url);
afterEach(() => front.clear());
afterAll(async () => {
  await front.stop();
  await api.stop();
});

/** What the next creates get instead of a response of the service. */
const failCreates = front.fail.bind(null, '/public/leads');
const refuse = (status: number, headers = {}) => ({ status, headers, body: '{}' });

function client({ attempts = 4, timeoutMs = 60_000 } = {}) {
  const { clientId, clientSecret } = api.client;
  return createLeadClient({ baseUrl: front.url, clientId, clientSecret, timeoutMs, attempts });
}

const create = (shop: LeadClient, lead: LeadCreate) =>
  dataOf(shop.POST('/public/leads', { body: lead }));

const body = { leadPhones: ['+971501112223'] };
const countOf = (path: string) => front.requests.filter((line) => line.endsWith(path)).length;
const creates = () => countOf('/public/leads');
const tokens = () => countOf('/token');

describe('the typed client', () => {
  test('has types for every path of the document', async () => {
    const types = await generateTypes();
    const missing = Object.keys(openApiDocument(routes).paths ?? {}).filter(
      (path) => !types.includes(`"${path}": {`),
    );
    expect(missing).toEqual([]);
  });

  test('creates, reads and reports with one token for all of it', async () => {
    const shop = client();
    const lead = await create(shop, { ...body, leadFirstName: 'Aisha' });
    if (isMerged(lead)) throw new Error('a new lead was expected');
    expect(lead.leadFirstName).toBe('Aisha');
    const params = { path: { id: lead.id } };
    const responseTime = { params, body: { seconds: 60 } };
    const [again, assignment, response] = await Promise.all([
      create(shop, body),
      dataOf(shop.GET('/public/leads/{id}/assignment', { params })),
      dataOf(shop.POST('/public/leads/{id}/response-time', responseTime)),
    ]);
    expect(again).toMatchObject({ merged: true, id: lead.id, matchedOn: 'phone' });
    expect(assignment.status).toBe('pending');
    expect(response.agentResponseSeconds).toBe(60);
    expect(tokens()).toBe(1);
  });

  test('retries a create on 408, 429 and network timeouts', async () => {
    failCreates(refuse(408), refuse(429, { 'Retry-After': '0' }), 'hang');
    await create(client({ timeoutMs: 10_000 }), body);
    expect(creates()).toBe(4);
  });

  test('retries on 5xx and gives up after its attempts, and at once when asked to wait until tomorrow', async () => {
    failCreates(refuse(500), refuse(500));
    await expect(create(client({ attempts: 2 }), body)).rejects.toMatchObject({ statusCode: 500 });
    failCreates(refuse(429, { 'Retry-After': '40000' }));
    await expect(create(client(), body)).rejects.toMatchObject({
      statusCode: 429,
      retryAfterSeconds: 40_000,
    });
    expect(creates()).toBe(3);
  });

  test('waits as without Retry-After where that is a date', async () => {
    const headers = { 'Retry-After': 'Wed, 25 Nov 2026 10:00:00 GMT' };
    failCreates(refuse(503, headers), refuse(503, headers));
    const startedMs = performance.now();
    const refused = { statusCode: 503, retryAfterSeconds: null };
    await expect(create(client({ attempts: 2 }), body)).rejects.toMatchObject(refused);
    expect(performance.now() - startedMs).toBeGreaterThan(150);
  });

  test('never retries a request that the service refuses', async () => {
    await expect(create(client(), {})).rejects.toMatchObject({
      statusCode: 400,
      code: 'BAD_REQUEST',
    });
    const invalid = { leadPhones: 1 } as never;
    await expect(create(client(), invalid)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.stringMatching(/^leadPhones: /)],
    });
    expect(creates()).toBe(2);
  });

  test('fetches a fresh token once on a 401, and then stops', async () => {
    const shop = client();
    await create(shop, body);
    await api.database.query(
      `update oauth_tokens set revoked_at = now() where expires_at < now() + interval '1 day'`,
    );
    await Promise.all([create(shop, body), create(shop, body)]);
    expect(tokens()).toBe(2);
    failCreates(refuse(401), refuse(401));
    await expect(create(shop, body)).rejects.toMatchObject({ statusCode: 401 });
    expect(tokens()).toBe(3);
  });

  test('sends one name of a parameter that has several', async () => {
    const query = { keyword: 'marina', limit: 5 };
    const found = await dataOf(client().GET('/public/locations', { params: { query } }));
    expect(found.meta).toEqual({ limit: 5, offset: 0, total: 0 });
  });

  test('reports wrong credentials', async () => {
    const { clientId } = api.client;
    const wrong = createLeadClient({ baseUrl: api.url, clientId, clientSecret: 'x' });
    await expect(create(wrong, body)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
