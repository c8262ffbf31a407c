import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { ApplicationFailure } from '@temporalio/common';
import { Webhook } from 'standardwebhooks';
import { createNameResolver } from '../../../activities/webhooks/resolve-name.ts';
import type { BehaviourInput } from '../../../dev/receiver/server.ts';
import {
  disableEndpoint,
  enableEndpoint,
  rotateSecret,
  setEndpointUrl,
} from '../../../store/webhooks/endpoints.ts';
import type { Database, Sql } from '../../../store/db/database.ts';
import { eraseLead } from '../../../store/people/erase-lead.ts';
import { formatSecret, sealSecret } from '../../../domain/webhooks/secret.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import { startNameServer } from '../../support/name-server.ts';
import { recordDelivered } from '../../../store/webhooks/attempts.ts';
import {
  addDelivery,
  attemptRows,
  createAttempts,
  deliveryRow,
  endpointRow,
  hasFailedFor,
  letItBeDue,
  makeDelivery,
  makeEndpoint,
  openWebhookDesk,
  type AttemptRow,
  type TestEndpoint,
} from './support.ts';
import type { DeliveryInput } from '../../../workflows/contracts/webhook-delivery.ts';
import { withEntityManager } from '../../support/database.ts';
import { listenOnLoopback } from '../../support/listen.ts';
import { standStill } from '../../support/stand-still.ts';

/** So long that no slow machine meets it; where meeting it is the matter there is the hasty one. */
const LIMIT_MS = 60_000;
const HASTY_LIMIT_MS = 1000;
const DAY_MS = 86_400_000;

const { store, receiver, prepare } = await openWebhookDesk({
  WEBHOOK_RETRY_SECONDS: '5,300,1800',
  WEBHOOK_TIMEOUT_SECONDS: String(LIMIT_MS / 1000),
});

function createHastyAttempts() {
  const { webhooks } = store.config;
  const config = { ...store.config, webhooks: { ...webhooks, timeoutMs: HASTY_LIMIT_MS } };
  const attempt = createAttempts(store, { config });
  /** As Temporal does: a call during which the machine stood still is made again. */
  async function untilMade(delivery: DeliveryInput): ReturnType<typeof attempt> {
    try {
      return await attempt(delivery);
    } catch (error) {
      if ((error as ApplicationFailure).type !== 'Interrupted') throw error;
      return untilMade(delivery);
    }
  }
  return untilMade;
}

async function failing(work: Promise<unknown>): Promise<ApplicationFailure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApplicationFailure)) throw new Error(`It did not fail: ${String(error)}`);
  return error;
}

const lockEndpoint = (sql: Sql, { endpointId }: TestEndpoint) =>
  sql.query('select from webhook_endpoints where id = $1 for update', [endpointId]);

const erase = (database: Database, leadId: string) =>
  eraseLead(database, leadId, {
    erasureId: randomUUID(),
    now: new Date(),
    inactiveSince: null,
    hashesOf: () => [],
  });

/** The first call of an endpoint, which waits for its response. */
async function openCall() {
  const open = Promise.withResolvers<ServerResponse>();
  const server = createHttpServer((_, response) => open.resolve(response));
  const endpoint = await makeEndpoint(store, `http://127.0.0.1:${await listenOnLoopback(server)}/`);
  const delivery = await makeDelivery(store, endpoint);
  const attempt = createAttempts(store)(delivery);
  return { server, endpoint, delivery, attempt, response: await open.promise };
}

describe('an attempt', () => {
  test('sends the body byte for byte, with headers that the public library verifies', async () => {
    const { endpoint, delivery } = await prepare();
    await expect(createAttempts(store)(delivery)).resolves.toMatchObject({ attempts: 1 });
    const [call] = receiver.received();
    expect(call).toMatchObject({ verdict: 'verified', id: delivery.eventId, raw: delivery.body });
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      accept: '*/*',
      'user-agent': 'lead-intake-webhooks/1',
    });
    const verified = new Webhook(endpoint.secret).verify(call?.raw ?? '', call?.headers ?? {});
    expect(verified).toMatchObject({ type: 'lead.created', data: { leadId: delivery.leadId } });
  });

  test('is recorded with its time, status, latency and what came back', async () => {
    const { delivery } = await prepare({ mode: 'slow', delayMs: 200 });
    const before = Date.now();
    await createAttempts(store)(delivery);
    const [attempt, ...more] = await attemptRows(store, delivery);
    expect(more).toEqual([]);
    expect(attempt).toMatchObject({ status: 200, error: null, head: '{"received":true}' });
    expect(attempt?.at.getTime()).toBeGreaterThanOrEqual(before);
    expect(attempt?.latencyMs).toBeGreaterThanOrEqual(199);
    const row = await deliveryRow(store, delivery);
    expect(row).toMatchObject({ status: 'delivered', attempts: 1, nextAttemptAt: null });
    expect(row.finishedAt).not.toBeNull();
  });

  test('of a delivery that does not exist fails for good', async () => {
    const { delivery } = await prepare();
    const failure = await failing(createAttempts(store)({ ...delivery, eventId: 'evt_none' }));
    expect(failure.nonRetryable).toBe(true);
  });
});

describe('what fails is tried again on the schedule', () => {
  test.each<[string, Omit<BehaviourInput, 'path'>, object]>([
    ['a failure', { mode: 'fail', status: 503 }, { status: 503, error: 'status' }],
    ['a client error', { mode: 'fail', status: 404 }, { status: 404, error: 'status' }],
    ['a redirect', { mode: 'redirect', status: 301 }, { status: 301, error: 'redirect' }],
    ['a connection closed early', { mode: 'close' }, { status: null, error: 'connection_closed' }],
  ])('%s', async (_, behaviour, recorded) => {
    const { endpoint, delivery } = await prepare(behaviour);
    const failure = await failing(createAttempts(store)(delivery));
    expect(failure).toMatchObject({ nonRetryable: false, nextRetryDelay: 5000 });
    expect(await attemptRows(store, delivery)).toMatchObject([recorded]);
    expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending', attempts: 1 });
    expect((await endpointRow(store, endpoint)).failingSince).not.toBeNull();
    expect(receiver.received()).toHaveLength(1);
  });

  test.each<[string, Omit<BehaviourInput, 'path'>]>([
    ['no answer in time', { mode: 'hang' }],
    ['a slow answer', { mode: 'slow', delayMs: HASTY_LIMIT_MS * 3 }],
  ])('%s', async (_, behaviour) => {
    const { delivery } = await prepare(behaviour);
    expect(await failing(createHastyAttempts()(delivery))).toMatchObject({ nextRetryDelay: 5000 });
    const recorded = { status: null, error: 'timeout' };
    expect(await attemptRows(store, delivery)).toMatchObject([recorded]);
  });

  test('a connection that nobody takes', async () => {
    const delivery = await makeDelivery(store, await makeEndpoint(store, 'http://127.0.0.1:1/'));
    await failing(createAttempts(store)(delivery));
    expect(await attemptRows(store, delivery)).toMatchObject([{ error: 'connection_refused' }]);
  });

  test('a name that is not known', async () => {
    const names = await startNameServer();
    const resolve = createNameResolver({ nameServers: [names.address], attemptMs: LIMIT_MS });
    const endpoint = await makeEndpoint(store, 'http://nobody.invalid/hooks');
    const delivery = await makeDelivery(store, endpoint);
    await failing(createAttempts(store, { resolve })(delivery));
    expect(await attemptRows(store, delivery)).toMatchObject([{ error: 'name_not_found' }]);
    names.stop();
  });

  test('not before its time, whoever asks for it', async () => {
    const { delivery } = await prepare({ mode: 'throttle', retryAfterSeconds: 90, times: 1 });
    let at = Date.now();
    const attempt = createAttempts(store, { now: () => new Date(at) });
    await failing(attempt(delivery));
    at += 11_000;
    expect(await failing(attempt(delivery))).toMatchObject({
      nonRetryable: false,
      nextRetryDelay: 79_000,
      message: expect.stringMatching(
        /^Attempt 1 of 4 of lead\.created to 127\.0\.0\.1:\d+: it answered 429; the next attempt comes in 1 min\.$/,
      ),
    });
    expect(receiver.received()).toHaveLength(1);
    expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending', attempts: 1 });
    at += 79_000;
    await expect(attempt(delivery)).resolves.toMatchObject({ attempts: 2 });
  });

  test('with the same id and body, signed afresh; after the last try for good', async () => {
    const { delivery } = await prepare({ mode: 'fail' });
    let at = Date.now();
    const attempt = createAttempts(store, { now: () => new Date(at) });
    const delays: unknown[] = [];
    for (let count = 0; count < 4; count += 1) {
      const failure = await failing(attempt(delivery));
      delays.push(failure.nonRetryable ? 'for good' : failure.nextRetryDelay);
      at += 60_000;
      await letItBeDue(store, delivery);
    }
    expect(delays).toEqual([5000, 300_000, 1_800_000, 'for good']);
    const calls = receiver.received();
    expect(new Set(calls.map(({ id }) => id))).toEqual(new Set([delivery.eventId]));
    expect(new Set(calls.map(({ raw }) => raw))).toEqual(new Set([delivery.body]));
    expect(calls.every(({ verdict }) => verdict === 'verified')).toBe(true);
    expect(new Set(calls.map(({ headers }) => headers['webhook-signature'])).size).toBe(4);
    const row = await deliveryRow(store, delivery);
    expect(row).toMatchObject({ status: 'failed', attempts: 4, nextAttemptAt: null });
    expect(row.failureReason).toBe('Given up after 4 attempts; at the last one it answered 500.');
  });
});

describe('the answer', () => {
  test('without an end is read to 1 KiB', async () => {
    const { delivery } = await prepare({ mode: 'endless' });
    await createAttempts(store)(delivery);
    const [attempt] = await attemptRows(store, delivery);
    expect(attempt?.status).toBe(200);
    expect(attempt?.latencyMs).toBeLessThan(LIMIT_MS);
    expect(Buffer.byteLength(attempt?.head ?? '')).toBe(1024);
  });

  async function answering(behave: (socket: Socket) => void) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => behave(socket));
    });
    return { server, url: `http://127.0.0.1:${await listenOnLoopback(server)}/` };
  }

  async function recordOf(
    behave: (socket: Socket) => void,
    attempt: ReturnType<typeof createAttempts>,
  ): Promise<AttemptRow[]> {
    const { server, url } = await answering(behave);
    const delivery = await makeDelivery(store, await makeEndpoint(store, url));
    await attempt(delivery).catch(() => undefined);
    server.close();
    return attemptRows(store, delivery);
  }

  const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n';
  test.each<[string, (socket: Socket) => void, object]>([
    [
      'breaks off after 2xx: it got there',
      (socket) => socket.end(`${OK}half`),
      { status: 200, head: 'half', error: null },
    ],
    [
      'is not HTTP',
      (socket) => socket.end('220 smtp ready\r\n'),
      { status: null, error: 'bad_answer' },
    ],
    [
      'goes over to another protocol, and no further',
      (socket) =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        ),
      { status: 101, head: '', error: 'status' },
    ],
    ['holds a NUL', (socket) => socket.end(`${OK}a\0b\xffcdefg`), { status: 200, error: null }],
  ])('%s', async (_, behave, recorded) => {
    expect(await recordOf(behave, createAttempts(store))).toMatchObject([recorded]);
  });

  const CHUNKED = 'transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
  test.each<[string, string]>([
    ['a length and chunks', `200 OK\r\ncontent-length: 2\r\n${CHUNKED}`],
    ['two lengths', '200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
    ['bare line feeds', '200 OK\ncontent-length: 2\n\n{}'],
    ['a folded header', '200 OK\r\nx: a\r\n b\r\ncontent-length: 2\r\n\r\n{}'],
    ['90 KB of headers', `200 OK\r\n${`x: ${'a'.repeat(1000)}\r\n`.repeat(90)}\r\n{}`],
    ['a blank before a colon', '200 OK\r\nx : a\r\ncontent-length: 2\r\n\r\n{}'],
    ['no end of its headers', '200 OK\r\ncontent-len'],
    [
      'a 1xx response before, and bare line feeds',
      '100 Continue\r\n\r\nHTTP/1.1 200 OK\nx: y\n\n{}',
    ],
    ['a wrong chunk', '200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n'],
  ])('with %s counts by its status line', async (_what, answer) => {
    for (const pieces of [[`HTTP/1.1 ${answer}`], ['HTTP', '/1.1 ', ...answer.split(/(?<=\n)/)]]) {
      const [attempt, ...more] = await recordOf(
        (socket) => writeAll(socket, pieces),
        createAttempts(store),
      );
      expect([attempt, more]).toEqual([expect.objectContaining({ status: 200, error: null }), []]);
    }
  });

  test.each<[string, string, object]>([
    ['a redirect', '302 Found', { status: 302, error: 'redirect' }],
    ['a failure', '503 Service Unavailable', { status: 503, error: 'status' }],
    ['410', '410 Gone', { status: 410, error: null }],
    ['a status of four digits', '2000 OK', { status: null, error: 'bad_answer' }],
    [
      'a status line in its body only',
      '0500 Error\n\nlog:\n\nHTTP/1.1 200 OK\n\n',
      { status: null, error: 'bad_answer' },
    ],
    ['half a status line', '200', { status: null, error: 'connection_closed' }],
    ['1xx responses alone', '100 Continue\n\nHTTP/1.1 103 Early Hints\n\n', { status: null }],
    ['another protocol', 'SMTP', { status: null, error: 'bad_answer' }],
  ])('with bare line feeds is still %s', async (_what, answer, recorded) => {
    const bytes = answer === '200' ? 'HTTP/1.1 200' : `HTTP/1.1 ${answer}\nlocation: /\n\n`;
    const rows = await recordOf((socket) => socket.end(bytes), createAttempts(store));
    expect(rows).toMatchObject([recorded]);
  });

  test.each([
    ['among its headers', 'x: y\nretry-after:90\r\nz: 1\n\nRetry-After: 7', 90_000],
    ['in its body', 'x: y\r\n\r\nRetry-After: 90\n\nRetry-After: 90\n', null],
    ['in a body without headers', '\nRetry-After: 90\n', null],
    ['in the head of another response', '\nHTTP/1.1 503 No\nRetry-After: 90\n', null],
  ])('with bare line feeds has a Retry-After %s', async (_, rest, waitMs) => {
    const { server, url } = await answering((socket) =>
      socket.end(`HTTP/1.1 103 Hints\nRetry-After: 80\n\nHTTP/1.1 503 Unavailable\n${rest}`),
    );
    const delivery = await makeDelivery(store, await makeEndpoint(store, url));
    const failure = await failing(createAttempts(store)(delivery));
    const isHeard = Number(failure.nextRetryDelay) > 60_000;
    expect(isHeard ? failure.nextRetryDelay : null).toBe(waitMs);
    server.close();
  });

  test.each<[string, (socket: Socket) => void, object]>([
    [
      'stalls after 2xx: it got there',
      (socket) => socket.write(`${OK}half`),
      { status: 200, head: 'half', error: null },
    ],
    [
      'drips its headers past the limit',
      (socket) => drip(socket),
      { status: null, error: 'timeout' },
    ],
  ])('%s', async (_, behave, recorded) => {
    expect(await recordOf(behave, createHastyAttempts())).toMatchObject([recorded]);
  });
});

describe('the connection to an endpoint', () => {
  /** Answers the first request of each connection and drops the connection at the second. */
  async function startForgetful() {
    let dropped = 0;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
        socket.once('data', () => {
          dropped += 1;
          socket.destroy();
        });
      });
    });
    const url = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
    const stop = () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    };
    return { url, dropped: () => dropped, stop };
  }

  test('is kept for the next event, and opened anew where it was closed meanwhile', async () => {
    const { url, dropped, stop } = await startForgetful();
    const endpoint = await makeEndpoint(store, url);
    const attempt = createAttempts(store);
    const deliveries = [await makeDelivery(store, endpoint), await makeDelivery(store, endpoint)];
    // At once: a connection that is idle for long is closed.
    const reports = [];
    for (const delivery of deliveries) reports.push(await attempt(delivery));
    const delivered = { outcome: 'delivered', attempts: 1 };
    expect(reports).toMatchObject([delivered, delivered]);
    for (const delivery of deliveries)
      expect(await attemptRows(store, delivery)).toMatchObject([{ status: 200 }]);
    expect(dropped()).toBe(1);
    stop();
  });

  test('is made to the address that takes it, however far away it is or busy the process', async () => {
    const { port } = new URL(receiver.url);
    const endpoint = await makeEndpoint(store, `http://endpoint.example:${port}/hooks/far`);
    receiver.setSecret(endpoint.secret, '/hooks/far');
    const resolve = async () => {
      // Nothing of the process runs while it connects, as if the response to the first packet took so long.
      setImmediate(() => standStill(300));
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ];
    };
    const attempt = createAttempts(store, { resolve });
    const report = await attempt(await makeDelivery(store, endpoint));
    expect(report).toMatchObject({ outcome: 'delivered', attempts: 1 });
  });
});

function writeAll(socket: Socket, [piece, ...others]: readonly string[]): void {
  socket.setNoDelay(true);
  if (piece === undefined) socket.end();
  else socket.write(piece, () => setImmediate(() => writeAll(socket, others)));
}

function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket.write('x-more: 1\r\n'), 50);
  socket.on('close', () => clearInterval(timer));
}

test.each(['ok', 'fail'] as const)(
  'of an erased lead an attempt that ends %s keeps nothing of the answer',
  async (mode) => {
    const { delivery } = await prepare({ mode });
    const { leadId } = delivery;
    await store.database.query('update leads set erased_at = now() where id = $1', [leadId]);
    await createAttempts(store)(delivery).catch(() => null);
    expect(await attemptRows(store, delivery)).toMatchObject([{ head: null }]);
  },
);

test.each(['ok', 'fail'] as const)(
  'an attempt that ends %s while its lead is being erased keeps nothing of the answer',
  async (mode) => {
    const { endpoint, delivery } = await prepare({ mode });
    await hasFailedFor(store, endpoint, 1);
    const ended = await store.database.transaction(async (sql) => {
      await lockEndpoint(sql, endpoint);
      const attempt = createAttempts(store)(delivery).catch(() => null);
      await waitForLockWaits(store.database, 1);
      const erasing = erase(store.database, delivery.leadId);
      await (mode === 'ok' ? waitForLockWaits(store.database, 2) : erasing);
      return { attempt, erasing };
    });
    await Promise.all([ended.attempt, ended.erasing]);
    expect(await attemptRows(store, delivery)).toMatchObject([{ head: null }]);
    expect(await deliveryRow(store, delivery)).toMatchObject({ attempts: 1 });
  },
);

test('failures of an endpoint whose row is locked wait with one connection, and hold up no other endpoint', async () => {
  const { endpoint, delivery: first } = await prepare({ mode: 'fail' });
  const more = await Promise.all(Array.from({ length: 9 }, () => makeDelivery(store, endpoint)));
  const { delivery: other } = await prepare({ mode: 'fail' });
  const attempt = createAttempts(store);
  const { attempts } = await store.database.transaction(async (sql) => {
    await lockEndpoint(sql, endpoint);
    const attempts = [first, ...more].map((delivery) => failing(attempt(delivery)));
    await waitForLockWaits(store.database, 1);
    await failing(attempt(other));
    await waitForLockWaits(store.database, 1);
    return { attempts };
  });
  await Promise.all(attempts);
  for (const delivery of [first, ...more])
    expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending', attempts: 1 });
});

/** As Postgres reads a large table: row after row of the batch. */
const recordByIndex = (rows: Parameters<typeof recordDelivered>[1]) =>
  store.database.transaction(async (sql) => {
    for (const way of ['hashjoin', 'mergejoin', 'seqscan'])
      await sql.query(`set local enable_${way} = off`);
    return recordDelivered(sql, rows);
  });

test.each([0, 1])(
  'attempts of one lead that are recorded together and its erasure never wait for each other: %i',
  async (held) => {
    const { delivery: first } = await prepare();
    const both = [first, await addDelivery(store, first)];
    const rows = both.map(({ eventId, endpointId, generation }) => ({
      eventId,
      endpointId,
      generation,
      at: new Date(),
      statusCode: 200,
      latencyMs: 1,
      error: null,
      responseHead: 'ok',
    }));
    const heldLast = held === 1 ? rows : rows.toReversed();
    const once: typeof store.database = {
      ...store.database,
      transaction: (work) => store.database.transaction(work),
    };
    const { recording, erasing } = await store.database.transaction(async (sql) => {
      await sql.query('select from webhook_deliveries where event_id = $1 for update', [
        both[held]?.eventId,
      ]);
      const erasing = erase(once, first.leadId).catch((error: unknown) => error);
      await waitForLockWaits(store.database, 1);
      const recording = recordByIndex(heldLast).catch((error: unknown) => error);
      await waitForLockWaits(store.database, 2);
      return { recording, erasing };
    });
    expect(await recording).toEqual([true, true]);
    expect(await erasing).toBe(true);
  },
);

describe('an endpoint is switched off', () => {
  test('by 410, and the delivery fails for good', async () => {
    const { endpoint, delivery } = await prepare({ mode: 'gone' });
    expect((await failing(createAttempts(store)(delivery))).nonRetryable).toBe(true);
    const disabledReason = 'The endpoint answered 410 Gone.';
    expect(await endpointRow(store, endpoint)).toMatchObject({ enabled: false, disabledReason });
    expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'failed', attempts: 1 });
  });

  test('by five days of failure', async () => {
    const { endpoint, delivery } = await prepare({ mode: 'fail' });
    await hasFailedFor(store, endpoint, 5 * 24, 1);
    expect((await failing(createAttempts(store)(delivery))).nonRetryable).toBe(true);
    const row = await endpointRow(store, endpoint);
    expect(row.enabled).toBe(false);
    expect(row.disabledReason).toBe('The endpoint has failed for 5 days.');
  });

  test('but not where it failed once, was not called for days, and fails twice', async () => {
    const { endpoint, delivery } = await prepare({ mode: 'fail' });
    const since = Date.now();
    let at = since - 6 * DAY_MS;
    const attempt = createAttempts(store, { now: () => new Date(at) });
    await failing(attempt(await makeDelivery(store, endpoint)));
    for (at = since; at < since + 10_000; at += 6000)
      expect(await failing(attempt(delivery))).toMatchObject({ nonRetryable: false });
    const row = await endpointRow(store, endpoint);
    expect(row).toMatchObject({ enabled: true, failingSince: new Date(since) });
    expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending', attempts: 2 });
  });

  test('but not when another call got through meanwhile', async () => {
    const { endpoint, delivery } = await prepare({ mode: 'slow', delayMs: 200 });
    receiver.setBehaviour({ mode: 'fail', path: new URL(receiver.url).pathname });
    await hasFailedFor(store, endpoint, 6 * 24);
    await createAttempts(store)(delivery);
    expect(await endpointRow(store, endpoint)).toMatchObject({ enabled: true, failingSince: null });
  });

  test.each([
    ['answers well', null],
    ['answers well and fails again', new Date()],
  ])(
    'but not where it %s while a call fails: that call is made again',
    async (_what, failingSince) => {
      const statuses = [500, 200];
      const server = createHttpServer((_, response) => {
        const answer = () => response.writeHead(statuses.shift() ?? 200).end();
        const text = 'update webhook_endpoints set failing_since = $2 where id = $1';
        void store.database.query(text, [endpoint.endpointId, failingSince]).then(answer);
      });
      const url = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
      const endpoint = await makeEndpoint(store, url);
      await hasFailedFor(store, endpoint, 6 * 24);
      const delivery = await makeDelivery(store, endpoint);
      const report = await createAttempts(store)(delivery);
      expect(report).toMatchObject({ outcome: 'delivered', attempts: 1 });
      expect(await endpointRow(store, endpoint)).toMatchObject({ enabled: true });
      expect(await attemptRows(store, delivery)).toMatchObject([{ status: 500 }, { status: 200 }]);
      server.close();
    },
  );

  test('and what is still to be sent there fails, without the words of the operator', async () => {
    const { endpoint, delivery } = await prepare();
    await store.database.query(
      `update webhook_endpoints set enabled = false, disabled_reason = 'Moved.' where id = $1`,
      [endpoint.endpointId],
    );
    const failure = await failing(createAttempts(store)(delivery));
    expect(failure).toMatchObject({
      nonRetryable: true,
      message: `The endpoint is switched off: leadctl webhook show ${endpoint.endpointId} says why.`,
    });
    expect(receiver.received()).toEqual([]);
    expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'failed', attempts: 0 });
  });
});

test('a 410 of an address that the endpoint no longer has switches nothing off: the new one is called', async () => {
  const { server, endpoint, delivery, attempt, response } = await openCall();
  const { endpointId, secret } = endpoint;
  receiver.setBehaviour({ mode: 'ok', path: '/hooks/moved' });
  receiver.setSecret(secret, '/hooks/moved');
  const url = `${receiver.url}/hooks/moved`;
  await setEndpointUrl(store.database, { endpointId, url, allowHttp: true });
  response.writeHead(410).end();
  await expect(attempt).resolves.toMatchObject({ outcome: 'delivered', attempts: 1 });
  expect(await endpointRow(store, endpoint)).toMatchObject({ enabled: true, failingSince: null });
  const statuses = (await attemptRows(store, delivery)).map(({ status }) => status);
  expect(statuses).toEqual([410, 200]);
  server.close();
});

describe('an endpoint is switched on again', () => {
  test('while a call is open: the call counts, and none follows', async () => {
    const { database } = store;
    const { server, endpoint, delivery, attempt, response } = await openCall();
    const { endpointId } = endpoint;
    const event = { eventId: `evt_${randomUUID()}`, reason: 'By the test.', now: new Date() };
    await disableEndpoint(database, { endpointId, ...event });
    expect(await enableEndpoint(database, endpointId, new Date())).toEqual({
      wasEnabled: false,
      due: 0,
    });
    response.end();
    await expect(attempt).resolves.toMatchObject({ outcome: 'delivered', attempts: 1 });
    expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'delivered', attempts: 1 });
    server.close();
  });

  test('while an attempt refuses to call it: the attempt is made', async () => {
    const { endpoint, delivery } = await prepare();
    const { database } = store;
    const set = 'update webhook_endpoints set enabled = $2 where id = $1';
    await database.query(set, [endpoint.endpointId, false]);
    const { attempt } = await database.transaction(async (sql) => {
      await sql.query(set, [endpoint.endpointId, true]);
      const begun = createAttempts(store)(delivery);
      await waitForLockWaits(database); // it found the endpoint off
      return { attempt: begun };
    });
    await expect(attempt).resolves.toMatchObject({ outcome: 'delivered', attempts: 1 });
    expect(receiver.received()).toHaveLength(1);
  });
});

describe('while a secret is rotated', () => {
  test('a call is signed with both, a day later with the new one only', async () => {
    const { path, endpoint, delivery } = await prepare({ mode: 'fail' });
    const fresh = formatSecret(Buffer.alloc(32, 9));
    const sealed = sealSecret(fresh, store.config.secretsKey, Buffer.alloc(12, 3));
    const at = new Date();
    const until = new Date(at.getTime() + 1);
    await withEntityManager(store, (manager) =>
      manager.transactional((em) => rotateSecret(em, endpoint.endpointId, sealed, until)),
    );
    async function verdictOf(secret: string, now: Date) {
      receiver.setSecret(secret, path);
      await letItBeDue(store, delivery);
      await failing(createAttempts(store, { now: () => now })(delivery));
      return receiver.received()[0]?.verdict;
    }
    const afterwards = new Date(until.getTime() + 1);
    expect(await verdictOf(endpoint.secret, at)).toBe('verified');
    expect(await verdictOf(fresh, at)).toBe('verified');
    expect(await verdictOf(endpoint.secret, afterwards)).toBe('refused');
    expect(await verdictOf(fresh, afterwards)).toBe('verified');
  });
});
