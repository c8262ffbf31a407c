import { Webhook } from 'standardwebhooks';
import { openSecret } from '../../domain/webhooks/secret.ts';

export interface SealedSecrets {
  secretSealed: Buffer;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
}

/** Headers of Standard Webhooks. While a secret is being rotated the call is signed with both. */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'lead-intake-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

export function validSecrets(sealed: SealedSecrets, key: Buffer, at: Date): string[] {
  const { secretSealed, previousSecretSealed, previousSecretUntil } = sealed;
  const isRotating =
    previousSecretSealed !== null && previousSecretUntil !== null && previousSecretUntil > at;
  return [secretSealed, ...(isRotating ? [previousSecretSealed] : [])].map((one) =>
    openSecret(one, key),
  );
}
