import { describe, expect, test } from '@jest/globals';
import { readable } from './payloads.ts';
import { names } from '../support/people.ts';
import { savedHistories } from './saved-histories.ts';

const PERSONAL: Record<string, RegExp> = {
  'an e-mail': /[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}/,
  'a phone': /(?:\+|00)971|\b9715\d{8}\b|\b05\d{8}\b/,
  'a name': new RegExp(names.join('|'), 'i'),
  'a folder of the machine': /\/(?:home|work|root|tmp|Users)\//,
};

function found(json: string): string[] {
  const text = readable(json);
  return Object.entries(PERSONAL).flatMap(([what, pattern]) => (pattern.test(text) ? [what] : []));
}

const encoded = (data: string) =>
  JSON.stringify({ payloads: [{ data: Buffer.from(data).toString('base64') }] });

describe('histories hold ids only', () => {
  test('no saved history names a person, a phone, an e-mail or a folder', async () => {
    for (const { scenario, json } of await savedHistories())
      expect({ scenario, found: found(json) }).toEqual({ scenario, found: [] });
  });

  test.each([
    ['an e-mail', 'buyer@mail.example'],
    ['a phone', '+971501234567'],
    ['a phone', '0501234567'],
    ['a name', names[0] ?? ''],
  ])('%s in a payload would be found', (what, data) => {
    expect(found(encoded(JSON.stringify({ data })))).toEqual([what]);
  });
});
