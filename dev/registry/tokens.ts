import { randomBytes } from 'node:crypto';

export interface Credential {
  clientId: string;
  clientSecret: string;
}

export interface Tokens {
  /** Null when the form does not hold the credential. */
  issue(
    form: URLSearchParams,
  ): { access_token: string; token_type: string; expires_in: number } | null;
  isValid(authorization: string | undefined): boolean;
}

export function createTokens(credential: Credential, lifetimeSeconds: number): Tokens {
  const expiries = new Map<string, number>();
  const wanted = {
    grant_type: 'client_credentials',
    client_id: credential.clientId,
    client_secret: credential.clientSecret,
    scope: 'apioauth',
  };
  return {
    issue(form) {
      if (Object.entries(wanted).some(([name, value]) => form.get(name) !== value)) return null;
      const access_token = randomBytes(24).toString('base64url');
      expiries.set(access_token, Date.now() + lifetimeSeconds * 1000);
      return { access_token, token_type: 'Bearer', expires_in: lifetimeSeconds };
    },
    isValid(authorization) {
      const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '';
      return (expiries.get(token) ?? 0) > Date.now();
    },
  };
}
