import {
  hashContactPoint,
  mobileNumbers,
  nearness,
  nearQuery,
} from '../../../domain/people/person-search.ts';
import { readContactPoints } from '../../../domain/leads/contact-points.ts';

test('a proof’s hash depends on the key, the kind and the value', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const hashes = [
    hashContactPoint({ kind: 'phone', value: 'a' }, key),
    hashContactPoint({ kind: 'phone', value: 'a' }, other),
    hashContactPoint({ kind: 'email', value: 'a' }, key),
    hashContactPoint({ kind: 'phone', value: 'b' }, key),
  ].map((hash) => hash.toString('hex'));
  expect(new Set(hashes).size).toBe(4);
  expect(hashContactPoint({ kind: 'phone', value: 'a' }, key).toString('hex')).toBe(hashes[0]);
});

test('DNCR checks know UAE mobile numbers alone', () => {
  const points = ['+971501234567', '+97143334444', '+442079460958', 'soon'].map(
    (value) => ({ kind: 'phone', value }) as const,
  );
  expect(mobileNumbers([...points, { kind: 'email', value: '0501234567@x.y' }])).toEqual([
    '0501234567',
  ]);
});

const isNear = (asked: string, found: string) =>
  nearness(readContactPoints(asked), asked, found) !== null;

describe('what is near a phone or an e-mail', () => {
  test.each([
    ['0501234567', '+971 50 123 4576'],
    ['0501234567', '05 0123 456'],
    ['0501234567', '٠٥٠١٢٣٤٥٦٨'],
    ['0501234567', '०५०१२३४५६८'],
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

  test.each([
    ['Devanagari', '०९८७६५४३२१'],
    ['Thai', '๐๙๘๗๖๕๔๓๒๑'],
    ['N’Ko', '߀߉߈߇߆߅߄߃߂߁'],
  ])('digits of %s are searched for as Western ones', (_, text) => {
    expect(nearQuery([], text).digits).toEqual(['987654321']);
  });

  test('is searched for by the halves of it, of which one typing error leaves one right', () => {
    expect(nearQuery(readContactPoints('050 123 4567'), '050 123 4567')).toEqual({
      digits: ['50123', '34567'],
      words: [],
    });
    expect(nearQuery([], 'N/A')).toEqual({ digits: [], words: ['n/a'] });
    expect(nearQuery([], ' ')).toEqual({ digits: [], words: [] });
  });
});
