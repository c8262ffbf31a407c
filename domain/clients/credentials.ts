import { createHash } from 'node:crypto';

export type Environment = 'stg' | 'prd';

export const CREDENTIAL_BYTES = 32;

export const KNOWN_SCOPES: ReadonlySet<string> = new Set(['leads:all']);

/** `stg_tok_…` */
export function formatCredential(environment: Environment, kind: 'tok' | 'sec', random: Buffer) {
  return `${environment}_${kind}_${random.toString('base64url')}`;
}

export function environmentOf(credential: string): Environment | null {
  return (/^(stg|prd)_/.exec(credential)?.[1] as Environment | undefined) ?? null;
}

/** No slow hash is needed for 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
