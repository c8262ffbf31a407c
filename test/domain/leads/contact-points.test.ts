import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  normaliseEmail,
  contactPointsOf,
  lockNumbers,
  normalisePhone,
  newEntries,
} from '../../../domain/leads/contact-points.ts';

describe('A phone is compared in E.164, national numbers as UAE numbers', () => {
  test.each([
    ['0501234567', '+971501234567'],
    ['501234567', '+971501234567'],
    ['971501234567', '+971501234567'],
    ['00971501234567', '+971501234567'],
    ['+971 (0)50-123 4567', '+971501234567'],
    ['٠٥٠١٢٣٤٥٦٧', '+971501234567'],
    ['+٩٧١٥٠١٢٣٤٥٦٧', '+971501234567'],
    ['\u202a+971501234567\u202c', '+971501234567'],
    ['04 123 4567', '+97141234567'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['+44 20 7946 0958', '+442079460958'],
    ['04 123 4567 ext 12', '+97141234567;ext=12'],
  ])('%s is %s', (text, value) => {
    expect(normalisePhone(text)).toEqual({ kind: 'phone', value });
  });

  test.each([
    [' Front Desk ', 'front desk'],
    ['123', '123'],
    ['', ''],
    ['050 123 4567 / 055 987 6543', '050 123 4567 / 055 987 6543'],
  ])('%j cannot be read and is compared as the text %j', (text, value) => {
    expect(normalisePhone(text)).toEqual({ kind: 'phone', value });
  });

  test('never throws, and reading its own reading changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 64 }), (text) => {
        const { value } = normalisePhone(text);
        expect(normalisePhone(value).value).toBe(value);
      }),
    );
  });
});

describe('An e-mail is compared in lower case, without invisible characters', () => {
  test.each([
    [' Buyer@Mail.Example ', 'buyer@mail.example'],
    ['\u200ebuyer@mail.example', 'buyer@mail.example'],
    ['\u202abuyer@mail.example\u202c', 'buyer@mail.example'],
    ['buyer\u200b@mail.example\ufeff', 'buyer@mail.example'],
    ['no e-mail', 'no e-mail'],
  ])('%j is %j', (text, value) => {
    expect(normaliseEmail(text)).toEqual({ kind: 'email', value });
  });
});

describe('The order in which a person is searched for', () => {
  test('is all phones in the order sent, then all e-mails, each once', () => {
    const contactPoints = contactPointsOf(
      ['0502', '050 123 4567', '0501234567'],
      ['B@x.example', 'b@X.example '],
    );
    expect(contactPoints.map(({ value }) => value)).toEqual([
      '0502',
      '+971501234567',
      'b@x.example',
    ]);
  });

  test('an e-mail and a phone of one text are two', () => {
    expect(contactPointsOf(['same'], ['same'])).toHaveLength(2);
  });
});

test('new entries are those whose contact point is not known, once each, as they were sent', () => {
  const known = [normaliseEmail('old@x.example')];
  expect(
    newEntries([' OLD@x.example', 'New@x.example', 'new@x.example'], normaliseEmail, known),
  ).toEqual(['New@x.example']);
});

test('locks are taken in ascending order whatever the order of the keys, once each', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 20 }), (keys) => {
      const numbers = lockNumbers(keys).map(BigInt);
      expect(numbers).toEqual([...numbers].sort((a, b) => (a < b ? -1 : 1)));
      expect(lockNumbers(keys.toReversed())).toEqual(lockNumbers(keys));
      expect(numbers).toHaveLength(new Set(keys).size);
    }),
  );
});
