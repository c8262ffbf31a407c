import { createCipheriv, createDecipheriv } from 'node:crypto';

/** In the form of Standard Webhooks, stored encrypted, since each attempt signs with them. */
export const SECRET_BYTES = 32;
export const SEAL_IV_BYTES = 12;

const VERSION = 1;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

export const UNREADABLE_SECRET = 'Its secret cannot be read with this SECRETS_KEY.';

export function formatSecret(random: Buffer): string {
  return `whsec_${random.toString('base64')}`;
}

/** Version, iv, tag, ciphertext. `iv` must be random: with one key it is never used twice. */
export function sealSecret(secret: string, key: Buffer, iv: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, iv);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed]);
}

export function canOpenSecret(sealed: Buffer, key: Buffer): boolean {
  try {
    openSecret(sealed, key);
    return true;
  } catch {
    return false;
  }
}

export function openSecret(sealed: Buffer, key: Buffer): string {
  if (sealed[0] !== VERSION) throw new Error('A webhook secret is sealed in an unknown way.');
  const tagAt = 1 + SEAL_IV_BYTES;
  const iv = sealed.subarray(1, tagAt);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
  const opened = decipher.update(sealed.subarray(tagAt + TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]).toString('utf8');
}

const BOTH_SECRETS_MS = 24 * 3_600_000;

/** Until then, calls are also signed with the old secret. */
export function formerSecretEnd(rotatedAt: Date, { atOnce = false } = {}): Date {
  return new Date(rotatedAt.getTime() + (atOnce ? 0 : BOTH_SECRETS_MS));
}

interface SealedSecrets {
  secretSealed: Buffer;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
}

export function signingSecrets(
  { secretSealed, previousSecretSealed: former, previousSecretUntil: until }: SealedSecrets,
  at: Date,
): Buffer[] {
  return former && until && until > at ? [secretSealed, former] : [secretSealed];
}
