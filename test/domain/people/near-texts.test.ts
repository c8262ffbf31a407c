import { describe, expect, test } from '@jest/globals';
import { readContactPoints } from '../../../domain/leads/contact-points.ts';
import { nearness, nearQuery } from '../../../domain/people/near-texts.ts';

const isNear = (asked: string, found: string) =>
  nearness(readContactPoints(asked), asked, found) !== null;

describe('what is near a phone or an e-mail', () => {
  test.each([
    ['0501234567', '+971 50 123 4576'],
    ['0501234567', '05 0123 456'],
    ['0501234567', '٠٥٠١٢٣٤٥٦٨'],
    ['+447911123456', '7911123456'],
    ['layla@mail.example', 'Leila@mail.example'],
    ['layla@mail.example', 'layla@post.example'],
    ['0501', '0501'],
    ['N/A', ' n/a'],
    ['050123', '0501 23 4567'],
  ])('%j: %j', (asked, found) => {
    expect(isNear(asked, found)).toBe(true);
  });

  test.each([
    ['0501234567', '0501234689'],
    ['0501234567', '123'],
    ['layla@mail.example', 'omar@mail.example'],
    ['N/A', 'none'],
    ['', 'N/A'],
  ])('not of %j: %j', (asked, found) => {
    expect(isNear(asked, found)).toBe(false);
  });

  test('is searched for by the halves of it, of which one typing error leaves one right', () => {
    expect(nearQuery(readContactPoints('050 123 4567'), '050 123 4567')).toEqual({
      ...{ digits: ['50123', '34567'], words: [] },
    });
    expect(nearQuery([], 'N/A')).toEqual({ digits: [], words: ['n/a'] });
    expect(nearQuery([], ' ')).toEqual({ digits: [], words: [] });
  });
});
