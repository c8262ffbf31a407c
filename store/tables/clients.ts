import { p } from '@mikro-orm/core';
import { addIndexes, table } from './table.ts';

export const OAuthClient = table('oauth_clients', {
  id: p.uuid().primary(),
  clientId: p.text().unique(),
  name: p.text(),
  secretHash: p.blob().$type<Buffer>(),
  scope: p.text().default(''),
  dailyQuota: p.integer().nullable(),
  active: p.boolean().default(true),
  createdAt: p.datetime(),
  rotatedAt: p.datetime().nullable(),
});

export const OAuthToken = table('oauth_tokens', {
  tokenHash: p.blob().$type<Buffer>().primary(),
  client: () => p.manyToOne(OAuthClient),
  createdAt: p.datetime(),
  expiresAt: p.datetime().index('oauth_tokens_expiry'),
  revokedAt: p.datetime().nullable(),
});
addIndexes(OAuthToken, { oauth_tokens_live: ['client', 'revoked_at is null'] });

export const QuotaUsage = table('quota_usage', {
  client: () => p.manyToOne(OAuthClient).primary(),
  day: p.date().primary(),
  used: p.integer(),
});

export const TokenFailure = table('token_failures', {
  key: p.text().primary(),
  windowStart: p.datetime().primary(),
  failures: p.integer(),
});
