import { ApplicationFailure } from '@temporalio/common';
import { Webhook } from 'standardwebhooks';
import { openSecret, signingSecrets, UNREADABLE_SECRET } from '../../domain/webhooks/secret.ts';
import type { LoadedEndpoint } from '../../store/webhooks/endpoints.ts';

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
    accept: '*/*',
    'user-agent': 'lead-intake-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

/** Fails with a message for operators if the secrets were sealed with another key. */
export function validSecrets(endpoint: LoadedEndpoint, key: Buffer, at: Date): string[] {
  try {
    return signingSecrets(endpoint, at).map((each) => openSecret(each, key));
  } catch {
    throw ApplicationFailure.create({ message: UNREADABLE_SECRET, type: 'UnreadableSecret' });
  }
}
