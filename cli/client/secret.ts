import { randomBytes } from 'node:crypto';
import {
  CREDENTIAL_BYTES,
  formatCredential,
  hashSecret,
} from '../../domain/clients/credentials.ts';
import type { Operator } from '../operator.ts';

/** Shown once; the hash is what is kept. */
export function newSecret({ config }: Operator): { clientSecret: string; secretHash: Buffer } {
  const random = randomBytes(CREDENTIAL_BYTES);
  const clientSecret = formatCredential(config.environment, 'sec', random);
  return { clientSecret, secretHash: hashSecret(clientSecret) };
}

export function credentialsText(
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  before = '',
): string {
  return [
    `client_id      ${clientId}`,
    `client_secret  ${clientSecret}`,
    `${before}The secret is not shown again.`,
  ].join('\n');
}
