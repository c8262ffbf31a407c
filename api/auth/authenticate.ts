import type Koa from 'koa';
import { environmentOf } from '../../domain/clients/credentials.ts';
import type { AppContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { type AuthenticatedCaller, BASE_PATH, TOKEN_PATH } from '../http/route.ts';
import { checkQuota } from './quota.ts';
import { bearerToken, recognise } from './strangers.ts';

/** Checks token and quota in one statement, so that both are exact over any number of processes. */
export async function authenticate(
  app: AppContext,
  http: Koa.Context,
  now: Date,
): Promise<AuthenticatedCaller> {
  const bearer = bearerToken(http);
  if (bearer === null) throw unauthorized('UNAUTHORIZED', NO_TOKEN);
  const { tokenHash } = bearer;
  const admission = await app.admitToken({ tokenHash, now });
  if (admission?.state !== 'live') app.strangers.forget(tokenHash);
  if (!admission) logForeignCredential(app, bearer.token, http.state.requestId);
  if (!admission || admission.state === 'revoked') throw unauthorized();
  if (admission.state === 'expired')
    throw unauthorized('OAUTH_TOKEN_EXPIRED', `The token has expired. ${FETCH_ONE}`);
  const { id, name, clientId, scope, referenceVersion } = admission;
  recognise(app, http, { tokenHash, clientId });
  http.state.clientId = clientId;
  http.set(checkQuota(app.config, admission, now));
  return { id, name, scopes: new Set(scope.split(' ')), referenceVersion };
}

const FETCH_ONE = `Fetch one with POST ${BASE_PATH}${TOKEN_PATH}.`;
const NO_TOKEN = `A token is needed, as \`Authorization: Bearer <token>\`. ${FETCH_ONE}`;
const UNKNOWN_TOKEN = `The token is not valid. ${FETCH_ONE}`;

function unauthorized(
  code: 'UNAUTHORIZED' | 'OAUTH_TOKEN_EXPIRED' = 'UNAUTHORIZED',
  message = UNKNOWN_TOKEN,
): ApiError {
  return new ApiError(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

export function logForeignCredential(app: AppContext, credential: string, requestId: string): void {
  const from = environmentOf(credential);
  const here = app.config.environment;
  if (from === null || from === here) return;
  app.log.warn({ requestId, from, here }, 'a credential of another environment');
}
