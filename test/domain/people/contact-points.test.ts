import { expect, test } from '@jest/globals';
import {
  hashContactPoint,
  mobileNumbers,
  readContactPoint,
} from '../../../domain/people/contact-points.ts';

test.each([
  ['050 123 4567', { kind: 'phone', value: '+971501234567' }],
  ['00971-50-1234567', { kind: 'phone', value: '+971501234567' }],
  ['+44 20 7946 0958', { kind: 'phone', value: '+442079460958' }],
  [' Sara@Mail.Example ', { kind: 'email', value: 'sara@mail.example' }],
])('%j names a phone or an e-mail', (text, expected) => {
  expect(readContactPoint(text)).toEqual(expected);
});

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
