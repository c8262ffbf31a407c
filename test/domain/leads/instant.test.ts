import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readInstant } from '../../../domain/leads/instant.ts';

describe('An instant', () => {
  test.each([
    ['2026-09-20T10:15:30Z', '2026-09-20T10:15:30.000Z'],
    ['2026-09-20t10:15:30.123456z', '2026-09-20T10:15:30.123Z'],
    ['2026-09-20 10:15:30+0400', '2026-09-20T06:15:30.000Z'],
    ['2026-09-20T10:15+04', '2026-09-20T06:15:00.000Z'],
    ['2026-09-20T10:15:30', '2026-09-20T10:15:30.000Z'],
    [' 2024-02-29 ', '2024-02-29T00:00:00.000Z'],
    ['\u200e2026-09-20', '2026-09-20T00:00:00.000Z'],
    ['20260920', '2026-09-20T00:00:00.000Z'],
    ['20260920T101530Z', '2026-09-20T10:15:30.000Z'],
    ['2026-W11-7', '2026-03-15T00:00:00.000Z'],
    ['2026W117T1015+0400', '2026-03-15T06:15:00.000Z'],
    ['2020-W53-5', '2021-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(readInstant(text)?.toISOString()).toBe(instant);
  });

  test.each([
    '',
    'now',
    '2026',
    '2026-09',
    '20-09-2026',
    '2026-13-01',
    '2026-03-',
    '2026-03-15-',
    '20261301',
    '2026-W54-1',
    '2025-W53-1',
    '2026-W11',
    '2026-02-29',
    '2026-09-31',
    '2026-09-20T24:00:00Z',
    '2026-09-20T10:60:00Z',
    '2026-09-20T10:15:30+15:00',
    '0050-01-01',
    '9999-12-31T23:59:59-01:00',
    '1000-01-01T00:00:00+01:00',
  ])('%j cannot be read as one', (text) => {
    expect(readInstant(text)).toBeNull();
  });

  test('is read back from any ISO text of a date', () => {
    const range = { min: new Date('1000-01-02'), max: new Date('9999-12-30'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(range), (date) => {
        expect(readInstant(date.toISOString())).toEqual(date);
      }),
    );
  });
});
