import { expect, test } from '@jest/globals';
import { hashContactPoint, mobileNumbers } from '../../../domain/people/contact-points.ts';

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
