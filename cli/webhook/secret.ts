import { randomBytes } from 'node:crypto';
import {
  formatSecret,
  sealSecret,
  SEAL_IV_BYTES,
  SECRET_BYTES,
} from '../../domain/webhooks/secret.ts';
import type { Operator } from '../operator.ts';

export function newSecret({ config }: Operator): { secret: string; sealed: Buffer } {
  const secret = formatSecret(randomBytes(SECRET_BYTES));
  return { secret, sealed: sealSecret(secret, config.secretsKey, randomBytes(SEAL_IV_BYTES)) };
}
