import { randomBytes } from 'node:crypto';

export interface Credential {
  clientId: string;
  clientSecret: string;
}

export function createTokens({ clientId, clientSecret }: Credential, lifetimeSeconds: number) {
  const expiries = new Map<string, number>();
  const expectedForm = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'apioauth',
  };
  return {
    /** Null when the form does not contain the credential. */
    issue(form: URLSearchParams) {
      if (Object.entries(expectedForm).some(([name, value]) => form.get(name) !== value)) {
        return null;
      }
      const access_token = randomBytes(24).toString('base64url');
      expiries.set(access_token, Date.now() + lifetimeSeconds * 1000);
      return { access_token, token_type: 'Bearer', expires_in: lifetimeSeconds };
    },
    isValid(authorization: string | undefined): boolean {
      const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '';
      return (expiries.get(token) ?? 0) > Date.now();
    },
  };
}
