import { Webhook } from 'standardwebhooks';
import { openSecret } from '../../domain/webhooks/secret.ts';
import type { LoadedEndpoint } from '../../store/webhooks/endpoints.ts';

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

export function validSecrets(endpoint: LoadedEndpoint, key: Buffer, at: Date): string[] {
  const { secretSealed, previousSecretSealed: previous, previousSecretUntil } = endpoint;
  const isRotating = previousSecretUntil !== null && previousSecretUntil > at;
  const sealed = previous && isRotating ? [secretSealed, previous] : [secretSealed];
  return sealed.map((each) => openSecret(each, key));
}
