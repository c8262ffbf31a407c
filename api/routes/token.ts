import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  CREDENTIAL_BYTES,
  formatCredential,
  hashSecret,
} from '../../domain/clients/credentials.ts';
import { issueToken } from '../../store/clients/clients.ts';
import { logForeignCredential } from '../auth/authenticate.ts';
import { readCredentials, refusedRequest } from '../auth/client-credentials.ts';
import { throttleFailure } from '../auth/failed-token-calls.ts';
import { checkQuota } from '../auth/quota.ts';
import { recognise } from '../auth/strangers.ts';
import { callerNetwork } from '../http/caller-address.ts';
import { defineRoute, namedObject, noQuery, TOKEN_PATH } from '../http/route.ts';

/** A missing field or one of another type is a wrong credential (401), not a 422. */
const text = z
  .unknown()
  .optional()
  .meta({ override: { type: 'string' } });
const body = z
  .looseObject({
    grant_type: text.meta({
      description: 'Always `client_credentials`.',
      override: { type: 'string', const: 'client_credentials' },
    }),
    client_id: text.describe('Id of the client, from the operator.'),
    client_secret: text.describe('Secret of the client.'),
  })
  .meta({ id: 'TokenRequest', override: { required: ['grant_type'] } });

const tokenResponse = namedObject('Token', {
  access_token: z.string().describe('Opaque; sent as `Authorization: Bearer`.'),
  token_type: z.literal('Bearer').describe('Always `Bearer`.'),
  expires_in: z.int().describe('Seconds.'),
  scope: z.string().describe("Rights beyond the client's own leads; may be empty."),
});

/** POST /oauth2/token (Authentication): every wrong credential has the same response. */
export const token = defineRoute({
  method: 'POST',
  path: TOKEN_PATH,
  operationId: 'issueToken',
  summary: 'Issue a bearer token',
  description:
    'Send the client id and secret in the body, as JSON or as a form, or as `Authorization: Basic` with `grant_type` alone in the body; ' +
    'a secret in both gets 401. Keep the token for `expires_in` seconds and fetch the next about 60 seconds early: token calls count against the quota.',
  tag: 'Authentication',
  auth: 'none',
  query: noQuery,
  body,
  alsoAccepts: ['application/x-www-form-urlencoded'],
  bodyExample: {
    grant_type: 'client_credentials',
    client_id: 'shop-backend',
    client_secret: 'stg_sec_…',
  },
  response: { description: 'A token', schema: tokenResponse },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
  async handle({ app, http, body: sentBody, now }) {
    const { config } = app;
    const { authorization = [] } = http.req.headersDistinct;
    const accessToken = formatCredential(config.environment, 'tok', randomBytes(CREDENTIAL_BYTES));
    const tokenHash = hashSecret(accessToken);
    const { clientId, secret } = readCredentials(authorization, sentBody);
    const issued = await issueToken(app.database, {
      clientId,
      secretHash: hashSecret(secret),
      tokenHash,
      now,
      expiresAt: new Date(now.getTime() + config.tokenLifetimeMs),
      defaultQuota: config.dailyQuota,
    });
    if (!issued) {
      logForeignCredential(app, secret, http.state.requestId);
      const network = callerNetwork(http.req, config.trustedProxies);
      await throttleFailure(app, { clientId, network, now });
      throw refusedRequest(authorization, sentBody);
    }
    recognise(app, http, { tokenHash, clientId });
    http.set({ Pragma: 'no-cache', ...checkQuota(config, issued, now) });
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: Math.ceil(config.tokenLifetimeMs / 1000),
      scope: issued.scope,
    };
  },
});
