import { createHash } from 'node:crypto';

export type CredentialKind = 'tok' | 'sec';
export type Environment = 'stg' | 'prd';

export const CREDENTIAL_BYTES = 32;

/** `stg_tok_…`: the prefix tells in the log which environment a credential came from. */
export function formatCredential(
  environment: Environment,
  kind: CredentialKind,
  random: Buffer,
): string {
  return `${environment}_${kind}_${random.toString('base64url')}`;
}

export function environmentOf(credential: string): Environment | null {
  return (/^(stg|prd)_/.exec(credential)?.[1] as Environment | undefined) ?? null;
}

/** Tokens and secrets carry 256 bits of randomness, so a plain SHA-256 keeps them (no slow hash needed). */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
