import fc from 'fast-check';
import {
  MAX_RETRY_AFTER_MS,
  nextDelayMs,
  retryAfterMs,
} from '../../../domain/webhooks/retry-schedule.ts';

const SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1000);
const NOW = new Date('2026-11-01T08:00:00Z');
const HOUR_MS = 3_600_000;

describe('the retry schedule', () => {
  test.each(SCHEDULE.map((delayMs, index) => [index + 1, delayMs] as const))(
    'after try %i fails the next one waits %i ms',
    (attempt, delayMs) => {
      expect(nextDelayMs(attempt, SCHEDULE, 0, null)).toBe(delayMs);
    },
  );

  test('after the last attempt there is none', () => {
    expect(nextDelayMs(8, SCHEDULE, 0, null)).toBeNull();
    expect(nextDelayMs(8, SCHEDULE, 0, 60_000)).toBeNull();
    expect(nextDelayMs(1, [], 0, null)).toBeNull();
  });

  test('the longer of schedule and Retry-After counts', () => {
    expect(nextDelayMs(1, SCHEDULE, 0, 120_000)).toBe(120_000);
    expect(nextDelayMs(2, SCHEDULE, 0, 120_000)).toBe(300_000);
  });

  test('Retry-After is capped at a day', () => {
    expect(nextDelayMs(1, SCHEDULE, 0, 400 * 24 * HOUR_MS)).toBe(MAX_RETRY_AFTER_MS);
    expect(nextDelayMs(1, SCHEDULE, 0, Number.MAX_SAFE_INTEGER)).toBe(24 * HOUR_MS);
  });

  test('jitter only lengthens a delay, by at most a tenth', () => {
    const jitter = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), jitter, (attempt, spread) => {
        const delayMs = nextDelayMs(attempt, SCHEDULE, spread, null) ?? -1;
        const plainMs = SCHEDULE[attempt - 1] ?? 0;
        expect(delayMs).toBeGreaterThanOrEqual(plainMs);
        expect(delayMs).toBeLessThanOrEqual(Math.round(plainMs * 1.1));
      }),
    );
  });
});

describe('Retry-After', () => {
  test.each([
    ['seconds', '120', 120_000],
    ['no wait', '0', 0],
    ['more seconds than anybody waits', '99999999999', 99_999_999_999_000],
    ['with blanks around', ' 7 ', 7000],
    ['an HTTP date', 'Sun, 01 Nov 2026 08:01:30 GMT', 90_000],
    ['an HTTP date gone by', 'Sun, 01 Nov 2026 07:00:00 GMT', 0],
    ['an empty text', '', null],
    ['a fraction', '1.5', null],
    ['a negative number', '-5', null],
    ['another form of date', '2026-11-01T08:01:30Z', null],
    ['a date that is none', 'Sun, 99 Nov 2026 08:01:30 GMT', null],
  ])('%s', (_, header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});
