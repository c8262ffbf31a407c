import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { createRequestLimiter } from '../../../api/auth/request-limiter.ts';
import { waitUntil } from '../../../dev/wait-until.ts';

const MINUTE_MS = 60_000;
/** The longest pause. */
const MAX_PAUSE_MS = 250;
/** Timers count whole milliseconds, of a clock that counts them too. */
const CLOCK_MS = 3;

afterEach(() => {
  jest.restoreAllMocks();
});

/** The requests of clients, each of which runs until it is ended. */
function startLimiter({ maxInFlight = 500 } = {}) {
  const limitRequests = createRequestLimiter(maxInFlight);
  const running: Record<string, { end: () => void; release: () => void }[]> = {};
  const send = (clientId: string, count = 1) =>
    Array.from({ length: count }, () =>
      limitRequests({ clientId, isGone: () => false }, async (release) => {
        const { promise, resolve } = Promise.withResolvers<undefined>();
        (running[clientId] ??= []).push({ end: () => resolve(undefined), release });
        await promise;
      }),
    );
  /** After everything that can begin without a pause has begun. */
  const begunBy = async (clientId: string) => {
    await new Promise(setImmediate);
    return running[clientId]?.length ?? 0;
  };
  /** After the pause between two turns. */
  const nextOf = (clientId: string) =>
    waitUntil(async () => expect(await begunBy(clientId)).toBe(1), {
      what: `the next request of ${clientId}`,
    });
  const first = (clientId: string) => running[clientId]?.shift();
  return { send, begunBy, nextOf, first };
}

test('a client that is alone runs 64 requests at once', async () => {
  const { send, begunBy } = startLimiter();
  void send('busy', 100);
  expect(await begunBy('busy')).toBe(64);
});

test('beside a client with one request another one runs one, in the order of arrival', async () => {
  const { send, begunBy, nextOf, first } = startLimiter();
  void send('calm');
  void send('busy', 100);
  expect([await begunBy('calm'), await begunBy('busy')]).toEqual([1, 1]);
  first('busy')?.end();
  await nextOf('busy');
});

test('a client with more requests than its share pauses for as long as its last one took', async () => {
  const { send, begunBy, nextOf, first } = startLimiter();
  void send('calm');
  void send('busy', 100);
  await begunBy('busy');
  const begunMs = performance.now();
  await delay(60);
  const tookMs = performance.now() - begunMs;
  first('busy')?.end();
  await nextOf('busy');
  const pauseMs = Math.min(tookMs, MAX_PAUSE_MS);
  expect(performance.now() - begunMs).toBeGreaterThanOrEqual(tookMs + pauseMs - CLOCK_MS);
});

test('what a client has begun alone runs on, and no more begins until one is left', async () => {
  const { send, begunBy, nextOf, first } = startLimiter();
  void send('busy', 100);
  await begunBy('busy');
  void send('calm');
  expect(await begunBy('calm')).toBe(1);
  for (let at = 0; at < 63; at += 1) first('busy')?.end();
  expect(await begunBy('busy')).toBe(1);
  first('busy')?.end();
  await nextOf('busy');
});

test('two busy clients run as many as the less busy of them has', async () => {
  const { send, begunBy } = startLimiter();
  void send('busy', 20);
  void send('busier', 100);
  expect([await begunBy('busy'), await begunBy('busier')]).toEqual([20, 20]);
});

test('a client that was present a moment ago still counts, and no longer after a minute', async () => {
  const { send, begunBy, nextOf, first } = startLimiter();
  const [calm] = send('calm');
  await begunBy('calm');
  first('calm')?.end();
  await calm;
  void send('busy', 2);
  expect(await begunBy('busy')).toBe(1);
  first('busy')?.end();
  await nextOf('busy');
  const later = performance.now() + MINUTE_MS;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  void send('busy', 100);
  expect(await begunBy('busy')).toBe(64);
});

test('a turn that is released early lets the next request run, and its request still counts', async () => {
  const { send, begunBy, nextOf, first } = startLimiter({ maxInFlight: 2 });
  void send('calm');
  void send('busy', 2);
  await begunBy('busy');
  const released = first('busy');
  released?.release();
  await nextOf('busy');
  await expect(send('busy')[0]).rejects.toThrow('Too many requests of this client are in flight.');
  released?.end();
  await begunBy('busy');
  void send('busy');
  expect(await begunBy('busy')).toBe(1);
});

test('a request that waited too long for its turn is refused, and counts no longer', async () => {
  const { send, begunBy, first } = startLimiter({ maxInFlight: 2 });
  void send('calm');
  const [, late] = send('busy', 2);
  await begunBy('busy');
  const later = performance.now() + MINUTE_MS;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  first('busy')?.end();
  await expect(late).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    extras: { headers: { 'Retry-After': '1' } },
  });
  void send('busy', 2);
  expect(await begunBy('busy')).toBe(1);
});
