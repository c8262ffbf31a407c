import { describe, expect, test } from '@jest/globals';
import {
  createEndpointSlots,
  OPEN_CALLS,
  OPEN_CALLS_WHILE_SLOW,
} from '../../activities/webhooks/endpoint-slots.ts';
import type { EndpointSlots } from '../../activities/webhooks/endpoint-slots.ts';

const SLOW = { isSlow: true, latencyMs: 15_000 };
const QUICK = { isSlow: false, latencyMs: 20 };
const NOW = 1_800_000_000_000;

function takeMany(slots: EndpointSlots, endpoint: string, count: number): (number | null)[] {
  return Array.from({ length: count }, () => slots.take(endpoint, NOW));
}

const open = (waits: (number | null)[]) => waits.filter((wait) => wait === null).length;

describe('the calls that one endpoint may have open', () => {
  test('are limited, whatever another endpoint does', () => {
    const slots = createEndpointSlots();
    expect(open(takeMany(slots, 'a', 100))).toBe(OPEN_CALLS);
    expect(open(takeMany(slots, 'b', 5))).toBe(5);
  });

  test('get free again one by one', () => {
    const slots = createEndpointSlots();
    takeMany(slots, 'a', OPEN_CALLS);
    slots.giveBack('a', QUICK);
    expect(open(takeMany(slots, 'a', 3))).toBe(1);
  });

  test('are few while the endpoint is slow, until it answers quickly again', () => {
    const slots = createEndpointSlots();
    takeMany(slots, 'a', 3);
    for (let count = 0; count < 3; count += 1) slots.giveBack('a', SLOW);
    expect(open(takeMany(slots, 'a', 10))).toBe(OPEN_CALLS_WHILE_SLOW);
    slots.giveBack('a', QUICK);
    expect(open(takeMany(slots, 'a', 100))).toBe(OPEN_CALLS - 1);
  });

  test('let those who wait come back at the pace of the endpoint, within a minute', () => {
    const slots = createEndpointSlots();
    takeMany(slots, 'a', OPEN_CALLS + 1);
    slots.giveBack('a', SLOW);
    slots.take('a', NOW);
    const waits = takeMany(slots, 'a', 200).map(Number);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[0]).toBeGreaterThanOrEqual(750);
    expect(waits.at(-1)).toBe(60_000);
    expect(new Set(waits).size).toBeGreaterThan(50);
  });

  test('keep those who wait apart before the first of them has ended', () => {
    const slots = createEndpointSlots();
    takeMany(slots, 'a', OPEN_CALLS);
    const tenSecondsOn = NOW + 10_000;
    const waits = Array.from({ length: 100 }, () => Number(slots.take('a', tenSecondsOn)));
    const backWithinASecond = waits.filter((wait) => wait <= 1000).length;
    expect(backWithinASecond).toBeLessThanOrEqual(2);
    expect(waits.at(-1)).toBe(100 * (10_000 / OPEN_CALLS));
  });
});
