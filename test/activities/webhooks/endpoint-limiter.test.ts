import {
  CALL_SLOTS,
  createEndpointLimiter,
  OPEN_CALLS,
  OPEN_CALLS_WHILE_SLOW,
  type EndpointLimiter,
} from '../../../activities/webhooks/endpoint-limiter.ts';

const SLOW = { kind: 'no_response', error: 'timeout', latencyMs: 15_000 } as const;
const QUICK = { kind: 'no_response', error: 'connection_refused', latencyMs: 20 } as const;
const NOW = 1_800_000_000_000;

/** To an endpoint of a client that has no other, unless it is said whose it is. */
const to = (endpointId: string, oauthClientId = `of ${endpointId}`) => ({
  endpointId,
  oauthClientId,
});

function acquireMany(limiter: EndpointLimiter, delivery: ReturnType<typeof to>, count: number) {
  return Array.from({ length: count }, () => limiter.acquire(delivery, NOW));
}

const open = (waits: (number | null)[]) => waits.filter((wait) => wait === null).length;

describe('the calls that one endpoint may have open', () => {
  test('are limited, whatever another endpoint does', () => {
    const limiter = createEndpointLimiter();
    expect(open(acquireMany(limiter, to('a'), 100))).toBe(OPEN_CALLS);
    expect(open(acquireMany(limiter, to('b'), 5))).toBe(5);
  });

  test('get free again one by one', () => {
    const limiter = createEndpointLimiter();
    acquireMany(limiter, to('a'), OPEN_CALLS);
    limiter.release(to('a'), QUICK);
    expect(open(acquireMany(limiter, to('a'), 3))).toBe(1);
  });

  test('are few while the endpoint is slow, until it answers quickly again', () => {
    const limiter = createEndpointLimiter();
    acquireMany(limiter, to('a'), 3);
    for (let count = 0; count < 3; count += 1) limiter.release(to('a'), SLOW);
    expect(open(acquireMany(limiter, to('a'), 10))).toBe(OPEN_CALLS_WHILE_SLOW);
    limiter.release(to('a'), QUICK);
    expect(open(acquireMany(limiter, to('a'), 100))).toBe(OPEN_CALLS - 1);
  });

  test('let those who wait come back at the pace of the endpoint, within a minute', () => {
    const limiter = createEndpointLimiter();
    acquireMany(limiter, to('a'), OPEN_CALLS + 1);
    limiter.release(to('a'), SLOW);
    limiter.acquire(to('a'), NOW);
    const waits = acquireMany(limiter, to('a'), 200).map(Number);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[0]).toBeGreaterThanOrEqual(750);
    expect(waits.at(-1)).toBe(60_000);
    expect(new Set(waits).size).toBeGreaterThan(50);
  });

  test('keep those who wait apart before the first of them has ended', () => {
    const limiter = createEndpointLimiter();
    acquireMany(limiter, to('a'), OPEN_CALLS);
    const tenSecondsOn = NOW + 10_000;
    const waits = Array.from({ length: 100 }, () => Number(limiter.acquire(to('a'), tenSecondsOn)));
    const backWithinASecond = waits.filter((wait) => wait <= 1000).length;
    expect(backWithinASecond).toBeLessThanOrEqual(2);
    expect(waits.at(-1)).toBe(100 * (10_000 / OPEN_CALLS));
  });
});

describe('the calls that the endpoints of one client may have open', () => {
  const toMany = (client: string) =>
    Array.from({ length: 20 }, (_none, at) => to(`${client}${at}`, client));
  const acquireAll = (limiter: EndpointLimiter, client: string) =>
    open(toMany(client).flatMap((delivery) => acquireMany(limiter, delivery, OPEN_CALLS)));

  test('are half as many as the worker has free', () => {
    const limiter = createEndpointLimiter(60);
    expect(acquireAll(limiter, 'shop')).toBe(20);
    expect(open(acquireMany(limiter, to('other'), 5))).toBe(5);
    limiter.release(to('shop0', 'shop'), QUICK);
    limiter.release(to('shop0', 'shop'), QUICK);
    expect(acquireAll(limiter, 'shop')).toBe(0);
    for (let count = 0; count < 5; count += 1) limiter.release(to('other'), QUICK);
    expect(acquireAll(limiter, 'shop')).toBe(2);
  });

  test('get fewer with each client that hangs, so that the worker never runs full', () => {
    const limiter = createEndpointLimiter();
    const taken = Array.from({ length: 30 }, (_none, at) => acquireAll(limiter, `client ${at} `));
    expect(taken.slice(0, 5)).toEqual([67, 44, 30, 20, 13]);
    expect(taken.reduce((sum, count) => sum + count)).toBe(CALL_SLOTS - 1);
    expect(limiter.acquire(to('a newcomer'), NOW)).toBe(1000);
    limiter.release(to('client 0 0', 'client 0 '), SLOW);
    expect(limiter.acquire(to('a newcomer'), NOW)).toBeNull();
  });
});
