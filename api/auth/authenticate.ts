import type Koa from 'koa';
import { environmentOf, hashSecret } from '../../domain/clients/credentials.ts';
import { admitToken } from '../../store/clients/admit-token.ts';
import type { Admission } from '../../store/clients/admit-token.ts';
import type { AppContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import type { AuthenticatedCaller } from '../http/route.ts';
import { quotaHeaders, rateLimited } from './quota.ts';

export interface Authenticated {
  caller: AuthenticatedCaller;
  referenceVersion: number;
}

/** Checks token and quota in one SQL statement, so that both are exact over any number of processes. */
export async function authenticate(
  app: AppContext,
  http: Koa.Context,
  now: Date,
): Promise<Authenticated> {
  const token = bearerToken(http.get('authorization'));
  if (token === null) throw unauthorized();
  const admission = await admitToken(app.database, hashSecret(token), now);
  if (!admission) logForeignCredential(app, token, http.state.requestId as string);
  if (!admission || admission.state === 'revoked') throw unauthorized();
  if (admission.state === 'expired')
    throw unauthorized('OAUTH_TOKEN_EXPIRED', 'The token has expired.');
  const limit = admission.dailyQuota ?? app.config.dailyQuota;
  http.state.clientId = admission.clientId;
  if (admission.used > limit) throw rateLimited(limit, now);
  http.set(quotaHeaders({ limit, used: admission.used, now }));
  return { caller: callerOf(admission), referenceVersion: admission.referenceVersion };
}

function callerOf(admission: Admission): AuthenticatedCaller {
  return {
    id: admission.id,
    clientId: admission.clientId,
    name: admission.name,
    scopes: new Set(admission.scope.split(' ').filter(Boolean)),
  };
}

/** The token after the scheme, which is matched without regard to case (RFC 6750). */
function bearerToken(header: string): string | null {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1] ?? null;
}

export function unauthorized(
  code: 'UNAUTHORIZED' | 'OAUTH_TOKEN_EXPIRED' = 'UNAUTHORIZED',
  message = 'A valid bearer token is needed.',
): ApiError {
  return new ApiError(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** The response is the plain 401; only the log says that the credential is of another environment. */
export function logForeignCredential(app: AppContext, credential: string, requestId: string): void {
  const from = environmentOf(credential);
  const here = app.config.environment;
  if (from === null || from === here) return;
  app.log.warn({ requestId, from, here }, 'a credential of another environment');
}
