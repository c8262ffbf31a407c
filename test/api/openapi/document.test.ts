import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { routes } from '../../../api/routes/index.ts';
import { eventTypes } from '../../../domain/webhooks/event-payloads.ts';
import { startTestApi } from '../../support/api.ts';
import { INTERFACE_REVISION } from '../../../api/openapi/document.ts';
import { webhooksDocument } from '../../../api/openapi/webhooks.ts';
import { document, expectSchema, isDocumented } from '../../support/documented.ts';

const api = await startTestApi();
afterAll(() => api.stop());

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}
interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Shown {
  operationId: string;
  security: unknown;
  parameters: {
    name: string;
    in: string;
    description?: string;
    schema: Schema & { examples?: unknown[] };
  }[];
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
    const webhooks = await api.call('GET', '/openapi-webhooks.json', { token: null });
    expect(webhooks.body).toEqual(JSON.parse(JSON.stringify(webhooksDocument(INTERFACE_REVISION))));
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
    expect(Object.keys(schemes)).toEqual(['oauth2', 'token']);
    const { flows } = schemes.oauth2 as { flows: { clientCredentials: { tokenUrl: string } } };
    for (const base of [`${api.url}/openapi.json`, new URL('/v2', api.url)])
      expect(new URL(flows.clientCredentials.tokenUrl, base).href).toBe(`${api.url}/oauth2/token`);
    for (const { path, shown } of operations) {
      const either = path === '/oauth2/token' ? [] : [{ oauth2: [] }, { token: [] }];
      expect(shown.security).toEqual(either);
    }
  });

  test('names each operation once', () => {
    const names = operations.map(({ shown }) => shown.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(operations.map((one) => [one.shown.operationId, one] as const))(
    '%s: the example of its body is what its schema says',
    (_name, { path, verb, shown }) => {
      for (const [type, { example }] of Object.entries(shown.requestBody?.content ?? {})) {
        expect(example).toBeDefined();
        const at = pointerTo('paths', path, verb, 'requestBody', 'content', type, 'schema');
        expectSchema(at, example, 'the example of the body');
      }
    },
  );

  test('names every shape of a body, and none Error', () => {
    const media = operations.flatMap(({ shown: { requestBody, responses } }) =>
      [requestBody ?? {}, ...Object.values(responses)].flatMap(
        ({ content = {} }: Partial<Media> & { content?: Record<string, Media> }) =>
          Object.values(content),
      ),
    );
    for (const { schema } of media) expect(schema?.properties).toBeUndefined();
    const components = document.components?.schemas as Record<string, Schema>;
    expect(components).not.toHaveProperty('Error');
    const inside = Object.values(components).flatMap(({ properties = {} }) =>
      Object.values(properties),
    );
    for (const schema of inside) expect(schema.properties).toBeUndefined();
  });

  test('has nothing that generators of clients stumble over', () => {
    const walk = (value: unknown): Record<string, unknown>[] =>
      typeof value !== 'object' || value === null
        ? []
        : [value as Record<string, unknown>, ...Object.values(value).flatMap(walk)];
    const schemas = walk(document);
    expect(schemas.filter((one) => 'pattern' in one && 'format' in one)).toEqual([]);
    expect(schemas.filter((one) => typeof one.const === 'boolean')).toEqual([]);
    const references = schemas.filter((one) => '$ref' in one);
    for (const { $ref, description, ...others } of references)
      expect([$ref, description, others]).toEqual([$ref, description, {}]);
    // Some make a property with a default required.
    expect(walk(document.components).filter((one) => 'default' in one)).toEqual([]);
    const inQueries = operations.flatMap(({ shown }) => shown.parameters).map((one) => one.schema);
    for (const schema of inQueries) {
      expect(typeof schema.type).toBe('string');
      expect(schema.type).not.toBe('object');
      expect(Object.keys(schema)).not.toContain('allOf');
      expect(schema.examples?.[0]).toBeDefined();
    }
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      const isRequest = ['ResponseTime', 'DncrCheck'].includes(name);
      const { additionalProperties } = schema as { additionalProperties?: unknown };
      expect(`${name}: ${additionalProperties === false}`).toBe(`${name}: ${isRequest}`);
    }
  });

  test('has a sentence for every property and parameter', () => {
    for (const shown of [document, webhooksDocument(INTERFACE_REVISION)]) {
      const components = shown.components?.schemas as Record<string, Schema>;
      for (const [id, { properties = {} }] of Object.entries(components))
        for (const [name, { description = '' }] of Object.entries(properties))
          expect(`${id}.${name}: ${description}`).toMatch(/: \S.{5,}[.)]$/s);
    }
    for (const { path, shown } of operations)
      for (const { name, description = '' } of shown.parameters ?? [])
        expect(`${path} ${name}: ${description}`).toMatch(/: \S.{5,}[.)]$/s);
  });

  test('documents 405, 408 and 431 of every operation', () => {
    for (const { shown } of operations)
      expect(Object.keys(shown.responses)).toEqual(expect.arrayContaining(['405', '408', '431']));
  });

  test('has a query of examples that every operation takes', () => {
    for (const { operationId, query } of routes) {
      const shown = operations.find((one) => one.shown.operationId === operationId)?.shown;
      const inQuery = shown?.parameters?.filter((one) => one.in === 'query') ?? [];
      const sent = inQuery.map(({ name, schema }) => [name, String(schema.examples?.[0])]);
      const parsed = query.safeParse(Object.fromEntries(sent));
      expect([operationId, parsed.error]).toEqual([operationId, undefined]);
    }
  });

  test('has budgets as strings, for which generated clients need no wrapper class', () => {
    const components = document.components?.schemas as Record<string, Schema>;
    for (const id of ['LeadCreate', 'LeadUpdate'])
      for (const name of ['budgetMin', 'budgetMax']) {
        const { anyOf } = components[id]?.properties?.[name] ?? {};
        expect(anyOf?.map(({ type }) => type)).toEqual(['string', 'null']);
      }
  });

  test('has every event among those that are read, and every webhook in a document of its own', () => {
    const webhooks = (webhooksDocument(INTERFACE_REVISION).webhooks ?? {}) as Record<
      string,
      { post: Shown }
    >;
    expect(Object.keys(webhooks)).toEqual([...eventTypes, 'webhook.test']);
    expect(document.webhooks).toBeUndefined();
    const { FeedEvent } = document.components?.schemas as Record<
      string,
      { discriminator?: { propertyName: string; mapping: object } }
    >;
    expect(FeedEvent?.discriminator?.propertyName).toBe('type');
    expect(Object.keys(FeedEvent?.discriminator?.mapping ?? {})).toEqual(eventTypes);
    for (const type of Object.keys(webhooks)) {
      const media = `webhooks.json#${pointerTo('webhooks', type, 'post', 'requestBody', 'content', 'application/json')}`;
      const example = webhooks[type]?.post.requestBody?.content['application/json']?.example;
      expectSchema(`${media}/schema`, example, type);
    }
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
    await api.create({ leadPhones: ['0501239876'], assignedBy: 'omar@agency.example' });
    const events = await api.database.query<{ type: string; body: string }>(
      `select type, body from webhook_events`,
    );
    expect(events.map(({ type }) => type).toSorted()).toEqual(['lead.assigned', 'lead.created']);
    for (const { type, body } of events) {
      const at = `webhooks.json#${pointerTo('webhooks', type, 'post', 'requestBody', 'content', 'application/json')}`;
      expectSchema(`${at}/schema`, JSON.parse(body), type);
    }
  });
});

describe('the schemas of requests', () => {
  const phone = { leadPhones: ['0501239878'] };

  const blanks = { leadPhones: [...Array<string>(30).fill(' '), '0501239878'] };

  test.each([
    ['without phone and e-mail', {}, 'refused'],
    ['with blank phones alone', { leadPhones: [' '], leadEmails: null }, 'refused'],
    ['with an e-mail alone', { leadPhones: null, leadEmails: ['a@b.example'] }, 'documented'],
    ['with many blank phones', blanks, 'taken'],
    ['with null among the phones', { leadPhones: [null, '0501239878'] }, 'taken'],
    ['with 21 phones', { leadPhones: Array(21).fill('0501239878') }, 'refused'],
    ['with an empty comment', { ...phone, comments: [{}] }, 'documented'],
    ['with a blank direction', { ...phone, comments: [{ direction: ' ' }] }, 'taken'],
    ['with an unknown direction', { ...phone, comments: [{ direction: 'sideways' }] }, 'taken'],
    ['with a text among the comments', { ...phone, comments: ['Hi'] }, 'taken'],
    ['with a numeric id of a comment', { ...phone, comments: [{ externalId: 7 }] }, 'taken'],
    ['with space around a long source', { ...phone, source: ` ${'x'.repeat(255)} ` }, 'taken'],
    ['with an odd quiz', { ...phone, quiz: { quizKey: 1, answers: 'none' } }, 'taken'],
    ['with 501 answers', { ...phone, quiz: { answers: Array(501).fill({}) } }, 'refused'],
    ['with a budget of a number', { ...phone, budgetMin: 1450000 }, 'taken'],
    ['with separators in a budget', { ...phone, budgetMin: '1,450,000' }, 'taken'],
    ['with a budget of null', { ...phone, budgetMin: null }, 'documented'],
  ])('a lead %s', async (_name, body, outcome) => {
    const { status } = await api.call('POST', '/public/leads', { body });
    expect(status === 201).toBe(outcome !== 'refused');
    const isAllowed = isDocumented(pointerTo('components', 'schemas', 'LeadCreate'), body);
    expect(isAllowed).toBe(outcome === 'documented');
  });
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

  test.each([
    ['/docs/guide', 'integration.md', '](webhooks#fetch-events-by-cursor)'],
    ['/docs/webhooks', 'integration-webhooks.md', '](https://www.standardwebhooks.com)'],
  ])(
    '%s is the guide as Markdown, with links to pages that are served',
    async (path, file, link) => {
      const answer = await page(path);
      const markdown = await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      const source = await readFile(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
      const withoutLinks = (text: string) => text.replaceAll(/\]\([^)]*\)/g, ']');
      expect(withoutLinks(markdown)).toBe(withoutLinks(source));
      expect(markdown).toContain(link);
      for (const [, href = ''] of markdown.matchAll(/\]\(([^)]+)\)/g)) {
        const url = new URL(href, `${api.url}${path}`);
        if (url.origin === new URL(api.url).origin)
          expect([href, (await fetch(url)).status]).toEqual([href, 200]);
      }
    },
  );

  test('is linked with the guides, from the documents too', async () => {
    const html = await (await page('/docs')).text();
    for (const [shown, link] of [
      [document, 'docs/guide'],
      [webhooksDocument(INTERFACE_REVISION), 'docs/webhooks'],
    ] as const) {
      expect(shown.externalDocs?.url).toBe(`https://leads.example/v2/${link}`);
      expect(html).toContain(`href="${link}"`);
    }
  });

  test('takes no query parameter and nothing else below it is served', async () => {
    expect((await page('/docs?x=1')).status).toBe(422);
    expect((await page('/docs/swagger-ui.js')).status).toBe(404);
  });
});
