import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isFresh } from '../../../domain/dncr/registry-answer.ts';
import { hashNumber } from '../../../domain/dncr/number.ts';
import { checkTimeouts } from '../../../domain/dncr/check-timeouts.ts';

describe('an answer', () => {
  test.each([
    ['2026-01-01T00:00:00Z', true],
    ['2026-06-29T23:59:59Z', true],
    ['2026-06-30T00:00:00Z', false],
    ['2026-06-30T00:00:01Z', false],
  ])('of the first of January counts at %s: %s', (now, counts) => {
    expect(isFresh(new Date('2026-01-01T00:00:00Z'), new Date(now))).toBe(counts);
  });
});

describe('the timeouts of a check', () => {
  test('follow from the tries and the time of one', () => {
    expect(checkTimeouts({ tries: 2, timeoutMs: 5000 })).toEqual({
      tries: 2,
      tryMs: 5000,
      startMs: 5000,
      askMs: 11_200,
      checkMs: 13_200,
      answerMs: 14_200,
    });
  });

  test('let each step end before the one around it times out', () => {
    const settings = fc.record({
      tries: fc.integer({ min: 1, max: 10 }),
      timeoutMs: fc.nat(60_000),
    });
    fc.assert(
      fc.property(settings, ({ tries, timeoutMs }) => {
        const timeouts = checkTimeouts({ tries, timeoutMs });
        expect(tries * timeoutMs).toBeLessThan(timeouts.askMs);
        expect(timeouts.askMs).toBeLessThan(timeouts.checkMs);
        expect(timeouts.checkMs).toBeLessThan(timeouts.answerMs);
      }),
    );
  });
});

describe('the hash of a number', () => {
  test('is the same for the same number and key, and reveals neither', () => {
    const key = Buffer.alloc(32, 7);
    expect(hashNumber('0501234567', key)).toEqual(hashNumber('0501234567', key));
    expect(hashNumber('0501234567', key)).not.toEqual(hashNumber('0501234568', key));
    expect(hashNumber('0501234567', key)).not.toEqual(
      hashNumber('0501234567', Buffer.alloc(32, 8)),
    );
  });
});
