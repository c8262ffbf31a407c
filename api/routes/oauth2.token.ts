import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CREDENTIAL_BYTES, formatCredential, hashSecret } from '../../domain/credentials.ts';
import { issueToken } from '../../store/clients/issue-token.ts';
import { rateLimited, quotaHeaders } from '../guard/quota.ts';
import { unauthorized } from '../guard/guard-request.ts';
import { noQuery } from '../http/pipeline.ts';
import { defineRoute } from '../http/route.ts';

const body = z.looseObject({
  grant_type: z.unknown(),
  client_id: z.unknown(),
  client_secret: z.unknown(),
});

const answer = z.object({
  access_token: z.string().meta({ description: 'Opaque; sent as `Authorization: Bearer`.' }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds.' }),
  scope: z.string(),
});

/** POST /oauth2/token (Authentication): every wrong credential has the same answer. */
export const token = defineRoute({
  method: 'POST',
  path: '/oauth2/token',
  operationId: 'issueToken',
  summary: 'Issue a bearer token',
  tag: 'Authentication',
  auth: 'none',
  query: noQuery,
  body,
  alsoAccepts: ['application/x-www-form-urlencoded'],
  bodyExample: { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'stg_sec_…' },
  answers: { 200: { description: 'A token', schema: answer } },
  errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
  async handle({ body: sent, app, now }) {
    const { config, database } = app;
    const credentials = readCredentials(sent);
    const accessToken = formatCredential(config.environment, 'tok', randomBytes(CREDENTIAL_BYTES));
    const issued = await issueToken(database, {
      ...credentials,
      tokenHash: hashSecret(accessToken),
      now,
      expiresAt: new Date(now.getTime() + config.tokenLifetimeMs),
      defaultQuota: config.dailyQuota,
    });
    if (!issued) throw unauthorized('UNAUTHORIZED', 'The client credentials are not valid.');
    const limit = issued.dailyQuota ?? config.dailyQuota;
    if (issued.used > limit) throw rateLimited(limit, now);
    return {
      status: 200,
      headers: quotaHeaders({ limit, used: issued.used, now }),
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: Math.ceil(config.tokenLifetimeMs / 1000),
        scope: issued.scope,
      },
    };
  },
});

/** What is missing or of another kind becomes a credential that fits nobody. */
function readCredentials(sent: z.output<typeof body>): { clientId: string; secretHash: Buffer } {
  const isGrant = sent.grant_type === 'client_credentials';
  const clientId = typeof sent.client_id === 'string' && isGrant ? sent.client_id : '';
  const secret = typeof sent.client_secret === 'string' ? sent.client_secret : '';
  return { clientId, secretHash: hashSecret(secret) };
}
