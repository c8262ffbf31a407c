import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import pg from 'pg';
import { waitUntil } from '../../dev/wait-until.ts';
import { startTestApi, type HttpAnswer, type TestClient } from '../support/api.ts';
import { seedReference } from '../support/reference.ts';

const BOUND = 3;
const LIST = '/public/projects?limit=1';

let greedy: TestClient;
let lock: pg.Client;
let reads = 0;

const variables = { MAX_REQUESTS_PER_CLIENT: `${BOUND}` };
const api = await startTestApi({ variables });
const { url: databaseUrl } = api.config.database;
/** Gives a statement up soon. */
const hasty = await startTestApi({ variables, databaseUrl, queryTimeoutMs: 5000 });
await seedReference(api.database);
api.catalogue.onStatement((text) => {
  if (text.includes('from projects p')) reads += 1;
});
afterAll(async () => {
  await hasty.stop();
  await api.stop();
});

/** Reads of projects wait as long as this transaction is open. */
beforeEach(async () => {
  greedy = await api.addClient();
  reads = 0;
  lock = new pg.Client({ connectionString: api.config.database.url });
  await lock.connect();
  await lock.query('begin');
  await lock.query('lock table projects in access exclusive mode');
});
afterEach(() => lock.end());

const list = (client: TestClient, on = api) => on.call('GET', LIST, { client });
const statusesOf = (answers: readonly HttpAnswer[]) => answers.map(({ status }) => status);
const underWay = (count: number) =>
  waitUntil(
    async () => {
      if (reads !== count) throw new Error(`${reads} reads are under way`);
    },
    { what: 'Every read' },
  );

test('a client at its bound gets 503 with Retry-After, and another one is served meanwhile', async () => {
  const held = Array.from({ length: BOUND }, () => list(greedy));
  await underWay(BOUND);
  const refused = await api.call('GET', '/public/project-statuses', { client: greedy });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(refused.body).toEqual({
    statusCode: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'Too many requests of this client are in flight.',
    path: '/v2/public/project-statuses',
    timestamp: expect.any(String),
    requestId: refused.headers.get('x-request-id'),
  });
  const body = { leadPhones: ['0501230001'] };
  expect((await api.call('POST', '/public/leads', { body })).status).toBe(201);
  expect((await api.call('GET', '/public/project-statuses')).status).toBe(200);
  await lock.query('rollback');
  expect(statusesOf(await Promise.all(held))).toEqual([200, 200, 200]);
  expect((await list(greedy)).status).toBe(200);
});

test.each<[string, number, () => Promise<HttpAnswer>]>([
  ['times out', 503, () => list(greedy, hasty)],
  ['is invalid', 422, () => api.call('GET', `${LIST}&nothing=1`, { client: greedy })],
])('a request that %s counts no longer', async (_what, status, send) => {
  for (const round of [1, 2]) {
    const answers = await Promise.all(Array.from({ length: BOUND }, send));
    expect([round, ...new Set(statusesOf(answers))]).toEqual([round, status]);
  }
});

test('requests whose caller has gone give their places back', async () => {
  const other = list(api.client);
  await underWay(1);
  const sockets = new Set<Socket>();
  api.server.on('request', ({ socket }: IncomingMessage) => void sockets.add(socket));
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${greedy.token}` };
  const responses = Array.from({ length: BOUND + 1 }, () =>
    fetch(`${api.url}${LIST}`, { headers, signal: gone.signal }).then(({ status }) => status),
  );
  // One over the bound: the others are in flight, all of them at Postgres beside the other client's.
  expect(await Promise.race(responses)).toBe(503);
  await underWay(1 + BOUND);
  gone.abort();
  const ended = await Promise.allSettled(responses);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(BOUND);
  await waitUntil(
    async () => expect([...sockets].filter(({ destroyed }) => destroyed).length).toBe(BOUND),
    { what: 'The end of the connections' },
  );
  await lock.query('rollback');
  expect((await other).status).toBe(200);
  await waitUntil(
    async () => expect((await api.call('GET', LIST, { client: greedy })).status).toBe(200),
    { what: 'A place' },
  );
});
