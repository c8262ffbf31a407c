import { readFile } from 'node:fs/promises';
import {
  grantOf,
  startTestApi,
  type CallOptions,
  type HttpAnswer,
  type TestApi,
} from '../../support/api.ts';
import { asAdmin, createTestDatabase } from '../../support/database.ts';
import { document } from '../../support/documented.ts';
import { seedReference } from '../../support/reference.ts';
import { proxied } from '../../support/switchable-proxy.ts';

/** Every status of every operation in the document is provoked; test/support/api.ts holds each to it. */

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NOWHERE = 'http://127.0.0.1:1/';

const own = await createTestDatabase();
const { url: proxiedUrl, proxy } = await proxied(own.url);
const api = await startTestApi({ databaseUrl: proxiedUrl });
const withRegistry = await startTestApi({
  databaseUrl: own.url,
  variables: {
    DNCR_CHECK_URL: NOWHERE,
    DNCR_TOKEN_URL: NOWHERE,
    DNCR_CLIENT_ID: 'us',
    DNCR_CLIENT_SECRET: 'ours',
    DNCR_TRIES: '1',
    DNCR_TIMEOUT_SECONDS: '0.2',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  },
});
await seedReference(api.database, JSON.parse(await readFile('dev/demo/demo.json', 'utf8')));
const leadId = (await api.create()).id;
const spent = await api.addClient({ dailyQuota: 0 });

afterAll(async () => {
  await withRegistry.stop();
  await api.stop();
  await proxy.stop();
  await own.drop();
});

interface Operation {
  method: string;
  path: string;
}

const isToken = ({ path }: Operation) => path === '/oauth2/token';
const isDncr = ({ path }: Operation) => path === '/public/dncr/check';

function goodBody(operation: Operation): object | undefined {
  const { method, path } = operation;
  if (isToken(operation)) return grantOf(api.client);
  if (isDncr(operation)) return { phones: ['not a number'] };
  if (path.endsWith('/response-time')) return { seconds: 60 };
  if (method === 'POST') return { leadPhones: ['0501230002'] };
  return method === 'GET' ? undefined : { priority: 'high' };
}

async function knownId({ path }: Operation): Promise<string> {
  const [, list = ''] = /^(\/public\/\w+)\/\{id\}/.exec(path) ?? [];
  if (list === '' || list === '/public/leads') return leadId;
  return (await api.call('GET', list)).body.data[0].id;
}

interface Changes extends CallOptions {
  id?: string;
  query?: string;
  on?: TestApi;
}

async function send(operation: Operation, changes: Changes = {}): Promise<HttpAnswer> {
  const { id, query = '', on = api, ...call } = changes;
  const path = operation.path.replace('{id}', id ?? (await knownId(operation)));
  const body = goodBody(operation);
  const options = body ? { body, ...call } : call;
  return on.call(
    operation.method,
    path + query,
    isToken(operation) ? { ...options, token: null } : options,
  );
}

const success = (operation: Operation) =>
  send(operation, isDncr(operation) ? { on: withRegistry } : {});

const json = { 'content-type': 'application/json' };

const provoke: Record<string, (operation: Operation) => Promise<HttpAnswer>> = {
  '200': success,
  '201': success,
  async '304'(operation) {
    const { headers } = await send(operation);
    return send(operation, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  },
  '400': (operation) => {
    if (operation.path.includes('{id}')) return send(operation, { id: 'no-uuid' });
    if (operation.method === 'GET') return send(operation, { query: '?after=no-cursor' });
    return send(operation, { body: '{', headers: json });
  },
  '401': (operation) =>
    isToken(operation) ? send(operation, { body: {} }) : send(operation, { token: null }),
  '404': (operation) => send(operation, { id: UNKNOWN }),
  '405': (operation) => send({ ...operation, method: 'DELETE' }),
  async '410'(operation) {
    const horizon = `insert into event_feed_horizons values ($1, 'lead.created', 1, now())`;
    await api.database.query(horizon, [api.client.id]);
    try {
      return await send(operation, { query: '?after=evt_0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01' });
    } finally {
      await api.database.query('delete from event_feed_horizons');
    }
  },
  '413': (operation) => send(operation, { body: { text: 'x'.repeat(300_000) } }),
  '415': (operation) =>
    send(operation, { body: 'text', headers: { 'content-type': 'text/plain' } }),
  '422': (operation) => send(operation, { query: '?nonsense=1' }),
  '429': (operation) =>
    isToken(operation)
      ? send(operation, { body: grantOf(spent) })
      : send(operation, { token: spent.token }),
  async '500'(operation) {
    const id = await knownId(operation);
    await asAdmin(own.url, 'alter table oauth_tokens rename to elsewhere');
    try {
      return await send(operation, { id });
    } finally {
      await asAdmin(own.url, 'alter table elsewhere rename to oauth_tokens');
    }
  },
  '502': (operation) => send(operation, { on: withRegistry, body: { phones: ['0501234567'] } }),
  async '503'(operation) {
    const id = await knownId(operation);
    proxy.turn('refusing');
    try {
      return await send(operation, { id });
    } finally {
      proxy.turn('open');
    }
  },
};

/** Statuses of the connection, whatever the path: paths-and-methods.test.ts provokes them. */
const OF_CONNECTIONS = ['408', '431'];

const answers = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, { responses: object }>).flatMap(([verb, { responses }]) =>
    Object.keys(responses)
      .filter((status) => !OF_CONNECTIONS.includes(status))
      .map((status) => ({ method: verb.toUpperCase(), path, status })),
  ),
);

test.each(answers)('$method $path answers $status as documented', async (documented) => {
  const answer = await provoke[documented.status]?.(documented);
  expect(answer?.status).toBe(Number(documented.status));
});
