import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { generateClient } from '../../dev/client/generate.ts';
import { createLeadClient } from '../../dev/client/lead-client.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';

let api: TestApi;
let front: Server;
/** What stands in front of the service for the next requests: handles one itself, or lets it through. */
let inTheWay: ((request: IncomingMessage, response: ServerResponse) => boolean)[] = [];
let seen: string[] = [];

beforeAll(async () => {
  api = await startTestApi();
  front = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const isToken = request.url?.endsWith('/token');
    const handled = isToken ? false : inTheWay.shift()?.(request, response);
    if (!handled) void forward(request, response);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  front.closeAllConnections();
  await new Promise((resolve) => front.close(resolve));
  await api.stop();
});
afterEach(() => {
  inTheWay = [];
  seen = [];
});

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
  const answer = await fetch(new URL(request.url ?? '', api.url), {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': type },
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
  });
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(await answer.text());
}

const refuse =
  (status: number, headers = {}) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, headers).end('{}');
    return true;
  };
const hang = () => true;

function client({ tries = 4, timeoutMs = 60_000 } = {}) {
  const { clientId, clientSecret } = api.client;
  const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}/v2`;
  return createLeadClient({ baseUrl, clientId, clientSecret, timeoutMs, tries });
}

const body = { leadPhones: ['+971501112223'] };
const creates = () => seen.filter((line) => line.endsWith('/public/leads')).length;
const tokens = () => seen.filter((line) => line.endsWith('/token')).length;

describe('the typed client', () => {
  test('is what the document says now; if not: npm run client', async () => {
    const file = fileURLToPath(new URL('../../dev/client/generated.ts', import.meta.url));
    expect(await readFile(file, 'utf8')).toBe(await generateClient(file));
  });

  test('creates, reads and reports with one token for all of it', async () => {
    const shop = client();
    const lead = await shop.createLead({ body: { ...body, leadFirstName: 'Aisha' } });
    if (lead.merged) throw new Error('a new lead was expected');
    expect(lead.leadFirstName).toBe('Aisha');
    const [again, assignment, response] = await Promise.all([
      shop.createLead({ body }),
      shop.readLeadAssignment({ path: { id: lead.id } }),
      shop.recordResponseTime({ path: { id: lead.id }, body: { seconds: 60 } }),
    ]);
    expect(again).toMatchObject({ merged: true, id: lead.id, matchedOn: 'phone' });
    expect(assignment.status).toBe('pending');
    expect(response.agentResponseSeconds).toBe(60);
    expect(tokens()).toBe(1);
  });

  test('tries a create again on 429, 5xx and network timeouts', async () => {
    inTheWay = [refuse(503), refuse(429, { 'Retry-After': '0' }), hang];
    await client({ timeoutMs: 1500 }).createLead({ body });
    expect(creates()).toBe(4);
  });

  test('gives up after its tries, and at once when told to come back tomorrow', async () => {
    inTheWay = [refuse(500), refuse(500)];
    await expect(client({ tries: 2 }).createLead({ body })).rejects.toMatchObject({
      statusCode: 500,
    });
    inTheWay = [refuse(429, { 'Retry-After': '40000' })];
    await expect(client().createLead({ body })).rejects.toMatchObject({
      statusCode: 429,
      retryAfterSeconds: 40_000,
    });
    expect(creates()).toBe(3);
  });

  test('never tries again what is at fault', async () => {
    await expect(client().createLead({ body: {} })).rejects.toMatchObject({
      statusCode: 400,
      code: 'BAD_REQUEST',
    });
    const faulty = { leadPhones: 1 } as never;
    await expect(client().createLead({ body: faulty })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.stringMatching(/^leadPhones: /)],
    });
    expect(creates()).toBe(2);
  });

  test('fetches a fresh token once on a 401, and then stops', async () => {
    const shop = client();
    await shop.createLead({ body });
    await api.database.query(
      `update oauth_tokens set revoked_at = now() where expires_at < now() + interval '1 day'`,
    );
    await Promise.all([shop.createLead({ body }), shop.createLead({ body })]);
    expect(tokens()).toBe(2);
    inTheWay = [refuse(401), refuse(401)];
    await expect(shop.createLead({ body })).rejects.toMatchObject({ statusCode: 401 });
    expect(tokens()).toBe(3);
  });

  test('says so when its credentials are wrong', async () => {
    const { clientId } = api.client;
    const wrong = createLeadClient({ baseUrl: api.url, clientId, clientSecret: 'x' });
    await expect(wrong.createLead({ body })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
