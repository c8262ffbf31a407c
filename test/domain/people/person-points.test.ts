import {
  hashIdentity,
  mobileNumbers,
  withoutEntries,
} from '../../../domain/people/person-points.ts';
import { readContactPoints } from '../../../domain/leads/contact-points.ts';

test('a proof’s hash depends on the key, the kind and the value', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const hashes = [
    hashIdentity({ kind: 'phone', value: 'a' }, key),
    hashIdentity({ kind: 'phone', value: 'a' }, other),
    hashIdentity({ kind: 'email', value: 'a' }, key),
    hashIdentity({ kind: 'phone', value: 'b' }, key),
  ].map((hash) => hash.toString('hex'));
  expect(new Set(hashes).size).toBe(4);
  expect(hashIdentity({ kind: 'phone', value: 'a' }, key).toString('hex')).toBe(hashes[0]);
});

test('DNCR checks know UAE mobile numbers alone', () => {
  const points = ['+971501234567', '+97143334444', '+442079460958', 'soon'].map(
    (value) => ({ kind: 'phone', value }) as const,
  );
  expect(mobileNumbers([...points, { kind: 'email', value: '0501234567@x.y' }])).toEqual([
    '0501234567',
  ]);
});

const removed = readContactPoints('0501234567 / layla@mail.example');

describe('the body of a request without a person’s phones and e-mails', () => {
  test('keeps what else it lists, and what is left of a text', () => {
    const body = JSON.stringify({
      leadPhones: ['050 123 4567', '050 123 4567 / 052 987 6543', 'N/A', 7, null],
      leadEmails: ['Layla <layla@mail.example>', 'omar@mail.example'],
      leadFirstName: 'Omar',
    });
    expect(JSON.parse(withoutEntries(body, removed))).toEqual({
      leadPhones: ['+971529876543', 'N/A', 7, null],
      leadEmails: ['omar@mail.example'],
      leadFirstName: 'Omar',
    });
  });

  test('keeps each number digit by digit', () => {
    const numbers = '"a":1e400,"b":12345678901234567890.50,"c":[-0,{"d":1E2}]';
    expect(withoutEntries(`{"leadPhones":["0501234567"],${numbers}}`, removed)).toBe(
      `{"leadPhones":[],${numbers}}`,
    );
  });

  test.each(['null', '{"leadPhones": "0501234567"}', '{ "leadPhones": ["0529876543"] }', '[1]'])(
    'is the same text where it lists none of them: %s',
    (body) => {
      expect(withoutEntries(body, removed)).toBe(body);
    },
  );
});
