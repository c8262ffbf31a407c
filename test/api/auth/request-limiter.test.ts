import fc from 'fast-check';
import { createRequestLimiter } from '../../../api/auth/request-limiter.ts';

const MINUTE_MS = 60_000;
const PLACES = 16;

afterEach(() => void jest.restoreAllMocks());

/** The requests of clients, each of which runs until it is ended. */
function startLimiter({ maxInFlight = 500 } = {}) {
  const limitRequests = createRequestLimiter({ maxInFlight });
  const running = new Map<string, { end: () => void; release: () => void }[]>();
  const send = (clientId: string, count = 1) =>
    Array.from({ length: count }, () =>
      limitRequests({ clientId, isGone: () => false }, async (release) => {
        const { promise, resolve } = Promise.withResolvers<undefined>();
        const end = () => resolve(undefined);
        running.set(clientId, [...(running.get(clientId) ?? []), { end, release }]);
        await promise;
      }),
    );
  /** After everything that can begin has begun. */
  const begunBy = async (clientId: string) => {
    await new Promise(setImmediate);
    return running.get(clientId)?.length ?? 0;
  };
  const first = (clientId: string) => running.get(clientId)?.shift();
  return { send, begunBy, first };
}

test('a client that is alone has every place', async () => {
  const { send, begunBy } = startLimiter();
  void send('busy', 100);
  expect(await begunBy('busy')).toBe(PLACES);
});

test('a client has a place at once where another one holds all of them', async () => {
  const { send, begunBy, first } = startLimiter();
  void send('busy', 100);
  await begunBy('busy');
  void send('calm', 2);
  expect(await begunBy('calm')).toBe(2);
  for (const running of [15, 14, 14]) {
    first('busy')?.end();
    expect(await begunBy('busy')).toBe(running);
  }
});

const CLIENTS = ['a', 'b', 'c', 'd', 'e'];
const step = fc.record({
  act: fc.constantFrom('send', 'end'),
  client: fc.constantFrom(...CLIENTS),
  count: fc.integer({ min: 1, max: 30 }),
});

test('however requests come and end, each client has its share, and others have what it leaves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { send, begunBy, first } = startLimiter();
      const inFlight = new Map(CLIENTS.map((client) => [client, 0]));
      for (const { act, client, count } of steps) {
        const before = inFlight.get(client) ?? 0;
        if (act === 'send') void send(client, count);
        const ended = Array.from({ length: count }, () => act === 'end' && first(client));
        for (const request of ended) if (request) request.end();
        const change = act === 'send' ? count : -ended.filter(Boolean).length;
        inFlight.set(client, before + change);

        const present = [...inFlight].filter(([, requests]) => requests > 0);
        const share = Math.max(1, Math.floor(PLACES / present.length));
        let running = 0;
        for (const [each, requests] of present) {
          const begun = await begunBy(each);
          expect(begun).toBeGreaterThanOrEqual(Math.min(requests, share));
          running += begun;
        }
        const all = present.reduce((sum, [, requests]) => sum + requests, 0);
        expect(running).toBeGreaterThanOrEqual(Math.min(all, PLACES - present.length + 1));
      }
    }),
    { numRuns: 300 },
  );
});

test('a turn that is released early lets the next request run, and its request still counts', async () => {
  const { send, begunBy, first } = startLimiter({ maxInFlight: PLACES + 1 });
  void send('busy', PLACES + 1);
  expect(await begunBy('busy')).toBe(PLACES);
  const released = first('busy');
  released?.release();
  expect(await begunBy('busy')).toBe(PLACES);
  await expect(send('busy')[0]).rejects.toThrow('Too many requests of this client are in flight.');
  released?.end();
  await begunBy('busy');
  void send('busy');
  first('busy')?.end();
  expect(await begunBy('busy')).toBe(PLACES);
});

test('a request that waited too long for its turn is refused, and counts no longer', async () => {
  const { send, begunBy, first } = startLimiter({ maxInFlight: PLACES + 1 });
  const late = send('busy', PLACES + 1).at(-1);
  await begunBy('busy');
  const later = performance.now() + MINUTE_MS;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  first('busy')?.end();
  await expect(late).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    extras: { headers: { 'Retry-After': '1' } },
  });
  void send('busy', 2);
  expect(await begunBy('busy')).toBe(PLACES);
});

test('a request whose caller has gone when its turn comes is not run', async () => {
  const limitRequests = createRequestLimiter({ maxInFlight: 2 * PLACES });
  const { promise: held, resolve: end } = Promise.withResolvers<undefined>();
  let isGone = false;
  const run: number[] = [];
  const all = Array.from({ length: 2 * PLACES }, (_each, index) =>
    limitRequests({ clientId: 'gone', isGone: () => isGone }, async () => {
      run.push(index);
      await held;
    }),
  );
  await new Promise(setImmediate);
  isGone = true;
  end(undefined);
  const results = await Promise.allSettled(all);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(PLACES);
  expect(run).toHaveLength(PLACES);
});
