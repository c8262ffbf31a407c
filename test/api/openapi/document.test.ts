import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes/index.ts';
import { eventTypes } from '../../../domain/webhooks/event-payloads.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { document, expectSchema, isDocumented } from '../../support/documented.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

interface Media {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Shown {
  operationId: string;
  security: unknown;
  parameters: { name: string; schema: { properties?: object } }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Shown>).map(([verb, shown]) => ({ path, verb, shown })),
);
const pointerTo = (...parts: string[]) =>
  encodeURI(`/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`);

describe('the document', () => {
  test('is served to everybody, whole, with nothing to fetch from elsewhere', async () => {
    const answer = await api.call('GET', '/openapi.json', { token: null });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)));
    expect(answer.body.openapi).toMatch(/^3\.1/);
    expect(answer.body.info.version).toBe('1.6.0');
  });

  test('is sent again only where it has changed, and compressed to whoever accepts that', async () => {
    for (const [encoding, sent] of [
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const headers = { 'accept-encoding': encoding };
      const read = (more = {}) =>
        api.call('GET', '/openapi.json', { token: null, headers: { ...headers, ...more } });
      const first = await read();
      expect(first.headers.get('content-encoding')).toBe(sent);
      expect(first.body).toEqual(JSON.parse(JSON.stringify(document)));
      const again = await read({ 'if-none-match': first.headers.get('etag') ?? '' });
      expect([again.status, again.body]).toEqual([304, null]);
      expect((await read({ 'if-none-match': '"another"' })).status).toBe(200);
    }
  });

  test('has every route', () => {
    const shown = operations.map(({ path, verb }) => `${verb.toUpperCase()} ${path}`);
    expect(shown.toSorted()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
  });

  test('lets a tool fetch the token itself, or take one', () => {
    const schemes = document.components?.securitySchemes ?? {};
    expect(Object.keys(schemes)).toEqual(['oauth2', 'bearer']);
    const { flows } = schemes.oauth2 as { flows: { clientCredentials: { tokenUrl: string } } };
    for (const base of [`${api.url}/openapi.json`, new URL('/v2', api.url)])
      expect(new URL(flows.clientCredentials.tokenUrl, base).href).toBe(`${api.url}/oauth2/token`);
    for (const { path, shown } of operations) {
      const either = path === '/oauth2/token' ? [] : [{ oauth2: [] }, { bearer: [] }];
      expect(shown.security).toEqual(either);
    }
  });

  test('names each operation once', () => {
    const names = operations.map(({ shown }) => shown.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(operations.map((one) => [one.shown.operationId, one] as const))(
    '%s: its examples are what its schemas say',
    (_name, { path, verb, shown }) => {
      for (const [type, { example }] of Object.entries(shown.requestBody?.content ?? {})) {
        expect(example).toBeDefined();
        const at = pointerTo('paths', path, verb, 'requestBody', 'content', type, 'schema');
        expectSchema(at, example, 'the example of the body');
      }
      for (const [status, { content = {} }] of Object.entries(shown.responses)) {
        for (const [type, { example, examples = {} }] of Object.entries(content)) {
          const shownExamples = [example, ...Object.values(examples).map((one) => one.value)];
          const given = shownExamples.filter((one) => one !== undefined);
          expect(`${status}: ${given.length > 0}`).toBe(`${status}: true`);
          const at = pointerTo('paths', path, verb, 'responses', status, 'content', type, 'schema');
          for (const one of given) expectSchema(at, one, `the example of ${status}`);
        }
      }
    },
  );

  test('has every event, as a webhook and among the events that are read', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual(eventTypes);
    const list = JSON.stringify(document.paths?.['/public/events']);
    for (const type of eventTypes) expect(list).toContain(`"const":"${type}"`);
  });

  test('describes both webhooks as they are sent', async () => {
    await api.database.query(
      `insert into webhook_endpoints (id, client_id, url, events, secret_sealed, created_at)
       values ($1, $2, 'https://shop.example/hook', '{lead.created,lead.assigned}', '', now())`,
      [randomUUID(), api.client.id],
    );
    const agentId = randomUUID();
    await api.database.query(
      `insert into agents (id, email, name, slug) values ($1, 'omar@agency.example', 'Omar', 'omar')`,
      [agentId],
    );
    await api.database.query(`update reference_state set version = version + 1`);
    await api.call('POST', '/public/leads', {
      body: { leadPhones: ['0501239876'], assignedBy: 'omar@agency.example' },
    });
    const events = await api.database.query<{ type: string; body: string }>(
      `select type, body from webhook_events`,
    );
    expect(events.map(({ type }) => type).toSorted()).toEqual(['lead.assigned', 'lead.created']);
    for (const { type, body } of events) {
      const at = pointerTo('webhooks', type, 'post', 'requestBody', 'content', 'application/json');
      expectSchema(`${at}/schema`, JSON.parse(body), type);
    }
  });
});

describe('the schemas of requests', () => {
  const id = '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01';
  const list = operations.find(({ shown }) => shown.operationId === 'listProjects');
  const listParameters = list?.shown.parameters ?? [];

  test.each([
    ['developerIds', `${id}, ${id.toUpperCase()},`],
    ['developerIds', ' '],
    ['developerIds', 'emaar'],
    ['propertyType', `${id} ${id}`],
    ['minPrice', ''],
    ['minPrice', '1450000.50'],
    ['maxPrice', 'cheap'],
    ['deliveryFrom', '2028-06-30'],
    ['deliveryTo', 'soon'],
    ['deliveryTo', ''],
    ['deliveryTo', ' 2028-02-29T10:00:00+04:00 '],
    ['deliveryTo', '2027-02-29'],
    ['deliveryTo', '0000-01-01'],
    ['q', '😀'.repeat(255)],
    ['q', '😀'.repeat(256)],
    ['limit', 100],
    ['limit', 101],
  ])('the list of projects takes a %s of "%s" where its schema does', async (name, value) => {
    const { status } = await api.call(
      'GET',
      `/public/projects?${name}=${encodeURIComponent(value)}`,
    );
    const at = listParameters.findIndex(
      (parameter) => parameter.name === name || name in (parameter.schema.properties ?? {}),
    );
    const schema = pointerTo('paths', '/public/projects', 'get', 'parameters', `${at}`, 'schema');
    const isAlias = listParameters[at]?.name !== name;
    expect(status).toBe(isDocumented(schema, isAlias ? { [name]: value } : value) ? 200 : 422);
  });

  const phone = { leadPhones: ['0501239878'] };

  test.each([
    ['without phone and e-mail', {}],
    ['with blank phones alone', { leadPhones: [' '], leadEmails: null }],
    ['with an e-mail alone', { leadPhones: null, leadEmails: ['a@b.example'] }],
    ['with many blank phones', { leadPhones: [...Array<string>(30).fill(' '), '0501239878'] }],
    ['with 21 phones', { leadPhones: Array(21).fill('0501239878') }],
    ['with an empty comment', { ...phone, comments: [{}] }],
    ['with a blank direction', { ...phone, comments: [{ direction: ' ' }, { direction: null }] }],
    ['with an unknown direction', { ...phone, comments: [{ direction: 'sideways' }] }],
    ['with a sixth comment of any form', { ...phone, comments: [{}, {}, {}, {}, {}, 'unread'] }],
    ['with a fifth one that is none', { ...phone, comments: [{}, {}, {}, {}, 'read'] }],
    ['with space around a long source', { ...phone, source: ` ${'x'.repeat(255)} ` }],
    ['with too long a source', { ...phone, source: 'x'.repeat(256) }],
    ['with odd custom fields', { ...phone, adPlatform: { customFields: [1] } }],
    ['with a number for an ad', { ...phone, adPlatform: { adId: 1 } }],
    ['with an odd quiz', { ...phone, quiz: { quizKey: 1, answers: 'none' } }],
    ['with 501 answers', { ...phone, quiz: { answers: Array(501).fill({}) } }],
  ])('a lead %s is accepted where its schema says so', async (_name, body) => {
    const { status } = await api.call('POST', '/public/leads', { body });
    const isAllowed = isDocumented(pointerTo('components', 'schemas', 'LeadCreate'), body);
    expect(status === 201).toBe(isAllowed);
  });

  test('one name of a parameter is sent, the others are absent or blank', () => {
    const search = pointerTo('paths', '/public/developers', 'get', 'parameters');
    const at = operations
      .find(({ shown }) => shown.operationId === 'listDevelopers')
      ?.shown.parameters.findIndex(({ schema }) => 'search' in (schema.properties ?? {}));
    const isAllowed = (sent: object) => isDocumented(`${search}/${at}/schema`, sent);
    expect([{ q: 'a' }, { q: 'a', search: ' ' }, {}].map(isAllowed)).toEqual([true, true, true]);
    expect([{ q: 'a', search: 'b' }, { other: 'a' }].map(isAllowed)).toEqual([false, false]);
  });

  test.each([['1,450,000'], [' 2500000.5 '], [''], [1450000], ['much'], ['1e6'], [-1], [null]])(
    'a budget may be %j where its schema says so',
    async (budgetMin) => {
      const body = { leadPhones: ['0501239877'], budgetMin };
      const { status } = await api.call('POST', '/public/leads', { body });
      const at = pointerTo('components', 'schemas', 'LeadCreate');
      expect(status).toBe(isDocumented(at, body) ? 201 : 422);
    },
  );
});

describe('the rendered reference', () => {
  const page = (path: string) => fetch(`${api.url}${path}`);

  test('is a page that loads only from here', async () => {
    const answer = await page('/docs');
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain(`script-src 'self'`);
    expect(answer.headers.get('content-security-policy')).toContain(`connect-src 'self'`);
    const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const url = new URL(link, `${api.url}/docs`);
      expect(url.origin).toBe(new URL(api.url).origin);
      const asset = await fetch(url);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('content-type')).not.toContain('json');
      expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(50);
    }
  });

  test('takes no query parameter and nothing else below it is served', async () => {
    expect((await page('/docs?x=1')).status).toBe(422);
    expect((await page('/docs/swagger-ui.js')).status).toBe(404);
  });
});
