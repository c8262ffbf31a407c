import { randomBytes } from 'node:crypto';
import {
  formatSecret,
  openSecret,
  sealSecret,
  SEAL_IV_BYTES,
  SECRET_BYTES,
} from '../../../domain/webhooks/secret.ts';

const KEY = Buffer.alloc(32, 7);
const secret = formatSecret(randomBytes(SECRET_BYTES));
const sealed = sealSecret(secret, KEY, randomBytes(SEAL_IV_BYTES));

describe('a webhook secret', () => {
  test('has the form of Standard Webhooks', () => {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  test('can be read back from its seal', () => {
    expect(openSecret(sealed, KEY)).toBe(secret);
  });

  test('is not readable in its seal', () => {
    expect(sealed.includes(Buffer.from(secret))).toBe(false);
    expect(sealed.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false);
  });

  test('does not open with another key', () => {
    expect(() => openSecret(sealed, Buffer.alloc(32, 8))).toThrow();
  });

  test.each([...sealed.keys()])('does not open with byte %i changed', (index) => {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => openSecret(changed, KEY)).toThrow();
  });
});
