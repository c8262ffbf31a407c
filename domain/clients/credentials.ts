import { createHash } from 'node:crypto';

export type Environment = 'stg' | 'prd';

export const CREDENTIAL_BYTES = 32;

export const KNOWN_SCOPES: ReadonlySet<string> = new Set(['leads:all']);

/** `stg_tok_…`: the prefix names the environment that a credential is for. */
export function formatCredential(environment: Environment, kind: 'tok' | 'sec', random: Buffer) {
  return `${environment}_${kind}_${random.toString('base64url')}`;
}

export function environmentOf(credential: string): Environment | null {
  return (/^(stg|prd)_/.exec(credential)?.[1] as Environment | undefined) ?? null;
}

/** Tokens and secrets hold 256 random bits, so a plain SHA-256 suffices; no slow hash is needed. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
